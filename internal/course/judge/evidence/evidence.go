// Package evidence holds what is known about a shader that ran: what it left in each case, what it
// should have left, and what the simulator saw. The judge finds its verdict in it, and package
// reasons finds out why.
package evidence

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The largest cases that the simulator watches, in invocations plus elements. Watching costs a
// check no more time than a driver needs to compile a new shader, and a few elements show as much
// as many.
const (
	MostWatched = 1 << 14
	MostAcross  = 1 << 19 // of the one case that covers the edges
)

// Facts are what is known about a shader and its runs.
type Facts struct {
	Exercise *course.Exercise
	Source   *shader.Source
	Shader   *wgsl.Shader      // nil until Read
	Module   *wgsl.Module      // the shader's declarations
	Entry    *types.EntryPoint // the shader's main
	Size     [3]uint32         // workgroup size
	Outcomes []CaseRun

	Wrong    *CaseRun          // the case with a wrong value that the verdict shows, or nil
	Mismatch *verdict.Mismatch // the wrong element of that case that the verdict shows, or nil
}

// About returns what is known at first: the shader, started at the exercise's entry point.
func About(e *course.Exercise, source *shader.Source) Facts {
	return Facts{Exercise: e, Source: source.At(e.Entry)}
}

// Read reads the declarations of a shader. A missing entry point is a *shader.CompileError.
func (f *Facts) Read() error {
	var err error
	if f.Module, err = f.Source.Module(); err != nil {
		return fmt.Errorf("reading the declarations of %s: %w", f.Source.Name, err)
	}
	entry, found := f.Module.Entry(f.Source.EntryPoint())
	if !found {
		return f.Source.NoEntryPoint()
	}
	for _, pass := range f.Exercise.Later {
		if _, found := f.Module.Entry(pass.Entry); !found {
			return f.Source.At(pass.Entry).NoEntryPoint()
		}
	}
	f.Shader, f.Size = f.Source.Shader(), entry.WorkgroupSize
	f.Entry = f.Shader.Entry(f.Source.EntryPoint())
	return nil
}

// Dispatch returns the run of the shader in a case.
func (f *Facts) Dispatch(c course.Case) shader.Dispatch {
	d, _ := f.Exercise.Dispatched(c, f.Source) // Read has found no error
	return d
}

// Workgroups returns how many workgroups run in a case.
func (f *Facts) Workgroups(c course.Case) [3]uint32 {
	return f.Exercise.Dispatch.Workgroups(c.Extent, f.Size)
}

// Work returns the amount of work in a case.
func (f *Facts) Work(c course.Case) int {
	groups, size := f.Workgroups(c), f.Size
	work := int(groups[0]*groups[1]*groups[2]) * int(size[0]*size[1]*size[2])
	for i, pass := range f.Exercise.Later {
		entry, _ := f.Module.Entry(pass.Entry) // Read has found it
		size := entry.WorkgroupSize
		groups := pass.Dispatch.Workgroups(c.Later[i], size)
		work += int(groups[0]*groups[1]*groups[2]) * int(size[0]*size[1]*size[2])
	}
	for _, b := range c.Buffers {
		work += b.Len()
	}
	return work
}

// InPasses reports whether the exercise dispatches several entry points.
func (f *Facts) InPasses() bool { return len(f.Exercise.Later) > 0 }

// Output returns the output that the verdict is about.
func (f *Facts) Output() course.Binding { return f.Exercise.Bindings[f.Exercise.Output] }

// AsksFor reports whether main, or a struct parameter of main, has a builtin value.
func (f *Facts) AsksFor(builtin string) bool {
	asks := func(in types.IOVar) bool { return in.Builtin == builtin }
	return slices.ContainsFunc(f.Entry.Inputs, asks) || slices.ContainsFunc(f.Exercise.Later, func(p course.Pass) bool {
		return slices.ContainsFunc(f.Shader.Entry(p.Entry).Inputs, asks)
	})
}
