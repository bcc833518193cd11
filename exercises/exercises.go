// Package exercises holds the files of the exercises, a folder for each: the description with its
// cases, the hints, the skeleton that the learner starts with, and wrong shaders whose first comment
// names and explains the mistake. The right shaders in other styles are for tests.
package exercises

import "embed"

// Files holds the folders, without the right shaders.
//
//go:embed */exercise.toml */hints.md */skeleton.wgsl */wrong/*.wgsl
var Files embed.FS
