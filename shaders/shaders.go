// Package shaders holds the reference WGSL: one kernel a file, each with an
// entry point `main`. A file at the top is the answer to the exercise of the
// same name; those in train/ are what training the network needs on top, and those
// in fused/ do several of these passes at once, for a GPU.
package shaders

import (
	"embed"
	"fmt"
)

//go:embed *.wgsl fast/*.wgsl fused/*.wgsl roof/*.wgsl train/*.wgsl
var files embed.FS

// Source returns the WGSL of a kernel: "matmul", or "train/adam".
func Source(name string) (string, error) {
	source, err := files.ReadFile(name + ".wgsl")
	if err != nil {
		return "", fmt.Errorf("there is no reference shader %q", name)
	}
	return string(source), nil
}
