// Package exercises holds the files of the exercises, a folder for each: the description with its
// cases, the hints, the skeleton that the learner starts with, the reference shader, wrong shaders
// that name and explain a mistake, and right shaders in other styles. An exercise in which the
// learner writes the host's calls has Go files in place of WGSL, and JavaScript files for the page.
// Most right and wrong programs are written as edits of the reference; Unfold makes them whole.
package exercises

import (
	"embed"
	"fmt"
)

// Files holds the folders.
var Files = Unfold(embedded)

//go:embed */exercise.toml */hints.md */skeleton.wgsl */reference.wgsl */wrong.md */right.md
//go:embed */skeleton.go */reference.go */skeleton.js */reference.js
var embedded embed.FS

// Reference returns the WGSL of an exercise's reference shader: "matmul". It has an entry point
// `main`, or one for each pass.
func Reference(id string) (string, error) {
	source, err := Files.ReadFile(id + "/reference.wgsl")
	if err != nil {
		return "", fmt.Errorf("there is no reference shader %q", id)
	}
	return string(source), nil
}
