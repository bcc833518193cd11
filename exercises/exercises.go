// Package exercises holds the files of the exercises, a folder for each: the description with its
// cases, the hints, the skeleton that the learner starts with, wrong shaders whose first comment
// names and explains the mistake, and right shaders in other styles.
package exercises

import "embed"

// Files holds the folders.
//
//go:embed */exercise.toml */hints.md */skeleton.wgsl */wrong/*.wgsl */right/*.wgsl
var Files embed.FS
