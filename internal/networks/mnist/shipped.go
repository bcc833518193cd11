//go:build !js

package mnist

import "embed"

// t10k holds MNIST's test images, compressed better than on a mirror; its README.md names their
// owners.
//
//go:embed t10k/*.gz
var t10k embed.FS

// shipped returns the contents of a file that ships.
func shipped(name string) ([]byte, error) { return t10k.ReadFile("t10k/" + name) }
