// Package shaders holds the WGSL that the product itself runs, one shader per file. fast/ climbs
// from a slow matmul to a fast one, roof/ measures a device's peak performance, train/ holds the
// shaders that train the networks, fused/ does several passes of a network at once, for a GPU, and
// grouped/ multiplies by weights in groups that share a scale.
// The references of the exercises are in package exercises.
package shaders

import (
	"embed"
	"fmt"
)

// Files holds the shaders.
//
//go:embed fast/*.wgsl fused/*.wgsl grouped/*.wgsl roof/*.wgsl train/*.wgsl
var Files embed.FS

// Source returns the WGSL of a shader, such as "train/adam".
func Source(name string) (string, error) {
	source, err := Files.ReadFile(name + ".wgsl")
	if err != nil {
		return "", fmt.Errorf("there is no shader %q", name)
	}
	return string(source), nil
}
