// Package trace shows in a notebook cell how your shader uses memory: which invocation reads and
// writes which element and how often, whether neighbours' accesses fall into the same line of
// memory, and which invocations wait at which barrier.
//
// The simulator runs the shader on a small case of its exercise, so you need no GPU.
//
// The package is the face of internal/observe/memtrace, which counts the accesses, and of its
// pictures.
package trace

import (
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/pkg/show"
)

// Exercise shows how your shader for an exercise uses memory. If the shader is missing or does not
// run, Exercise tells you what to do; the cell does not fail.
func Exercise(id string) { show.Display(cases.Memory(id, shader.ReadCell)...) }

// Compare shows how often your shaders for two exercises on the same buffers read each
// element, side by side.
func Compare(first, second string) { show.Display(cases.Reads(first, second, shader.ReadCell)...) }
