//go:build !js

package epochs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

// Keeps reports whether Keep keeps the weights for the next run.
const Keeps = true

// Keep writes the weights to a file in one move, so that a stop leaves the old ones or the new
// ones.
func Keep(path string, w *mlp.Weights) error {
	about := map[string]string{"trained": "in lesson 10"}
	if w.Epochs > 0 {
		about["epochs"] = strconv.FormatFloat(w.Epochs, 'g', -1, 64)
	}
	data, err := w.Encode(about)
	if err != nil {
		return fmt.Errorf("keeping the weights: %w", err)
	}
	if err := atomicfile.Write(path, data, 0o644); err != nil {
		return fmt.Errorf("keeping the weights: %w", err)
	}
	return nil
}

// Kept returns the weights in a file; nil if there is none.
func Kept(path string) (*mlp.Weights, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return mlp.Load(path)
}
