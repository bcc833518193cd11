// Package shaders holds the reference WGSL: one shader per file, each with an
// entry point `main`, or with one for each pass. A file at the top level is the answer to the exercise of the
// same name. fast/ climbs from a slow matmul to a fast one, roof/ measures a device's
// peak performance, and train/ holds the extra shaders that train the network.
// The shaders in fused/ do several of these passes at once, for a GPU.
package shaders

import (
	"embed"
	"fmt"
)

// Files holds the shaders.
//
//go:embed *.wgsl fast/*.wgsl fused/*.wgsl roof/*.wgsl train/*.wgsl
var Files embed.FS

// Source returns the WGSL of a shader: "matmul", or "train/adam".
func Source(name string) (string, error) {
	source, err := Files.ReadFile(name + ".wgsl")
	if err != nil {
		return "", fmt.Errorf("there is no reference shader %q", name)
	}
	return string(source), nil
}
