// Package exercises holds the files of the exercises, a folder for each: the skeleton that the
// learner starts with, and wrong shaders whose first comment names and explains the mistake. The
// right shaders in other styles are for tests.
package exercises

import "embed"

// Files holds ID/skeleton.wgsl and ID/wrong/NAME.wgsl.
//
//go:embed */skeleton.wgsl */wrong/*.wgsl
var Files embed.FS
