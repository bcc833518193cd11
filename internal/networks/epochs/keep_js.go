package epochs

import "github.com/wgslab/wgslab/internal/networks/mlp"

// Keeps reports whether Keep keeps the weights for the next run. A page's cell has no files that
// outlive it.
const Keeps = false

// Keep does nothing in a page.
func Keep(string, *mlp.Weights) error { return nil }

// Kept returns nothing in a page.
func Kept(string) (*mlp.Weights, error) { return nil, nil }
