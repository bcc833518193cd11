//go:build !js

package mnist

import "embed"

// t10k holds MNIST's test images as they came from a mirror; its README.md says whose
// they are.
//
//go:embed t10k/*.gz
var t10k embed.FS

// shipped is a file that ships.
func shipped(name string) ([]byte, error) { return t10k.ReadFile("t10k/" + name) }
