// Package cases observes a learner's shader on a case of an exercise: its memory accesses, what its
// print comments show, and its run in the debugger. The observers themselves know no exercise.
package cases

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
)

// Trace traces a shader on the small case of an exercise, or its first pass if there are several.
// If the shader can't run, Trace returns the error of the simulator's engine, a
// *shader.CompileError or *shader.BindError.
func Trace(ctx context.Context, exercise *course.Exercise, source *shader.Source) (*memtrace.Trace, error) {
	return traceOn(ctx, exercise, exercise.DrawSmall(seed), source)
}

// traceOn traces a shader on a case of its exercise.
func traceOn(ctx context.Context, exercise *course.Exercise, c course.Case, source *shader.Source) (*memtrace.Trace, error) {
	source = source.At(exercise.Entry)
	d := shader.Dispatch{Buffers: c.Buffers, Output: exercise.Output}
	if entry, err := source.Entry(sim.Adapter()); err == nil { // else the engine says what is wrong
		d.Workgroups = exercise.Dispatch.Workgroups(c.Extent, entry.WorkgroupSize)
	}
	t, err := memtrace.Run(ctx, source, d)
	if err != nil {
		return nil, err
	}
	t.Exercise, t.Case = exercise.ID, c.Name+exercise.FirstPass()
	for i := range t.Variables {
		if v := &t.Variables[i]; v.Space == memtrace.Storage {
			v.Columns = c.Columns[v.Binding]
		}
	}
	return t, nil
}

// seed draws the input values. A correct shader's accesses do not depend on them.
const seed = 1

// Memory draws how the learner's shader for an exercise uses memory. If there is no shader yet,
// or it does not run, Memory says what to do.
func Memory(id string, as shader.SourceReader) []view.View {
	return view.Drawn("How your shader uses memory", func() []view.View { return memory(learner.Dir, id, as) })
}

// Reads draws how often each element is read by the learner's shaders for two exercises on the
// same buffers, side by side, at the sizes of the second. If the first isn't there yet, the
// reference takes its place.
func Reads(first, second string, as shader.SourceReader) []view.View {
	return view.Drawn("How your two shaders read", func() []view.View { return reads(learner.Dir, first, second, as) })
}

func memory(work, id string, as shader.SourceReader) []view.View {
	t, note := readAndTrace(work, id, "", as)
	if note != nil {
		return []view.View{note}
	}
	return memtrace.Of(t)
}

// reads needs the second shader. A first one that is missing, or does not run, is replaced by the
// reference: it is of an earlier exercise.
func reads(work, first, second string, as shader.SourceReader) []view.View {
	b, note := readAndTrace(work, second, second, as)
	if note != nil {
		return []view.View{note}
	}
	a, note := readAndTrace(work, first, second, as)
	if note == nil {
		return memtrace.Comparison(a, b)
	}
	a, err := traceOfReference(first, second)
	if err != nil {
		return []view.View{note}
	}
	instead := view.Note{Title: first + ": the reference, not yours", Body: "You have no working " + first + " yet, so this comparison uses the course's."}
	return append([]view.View{instead}, memtrace.Comparison(a, b)...)
}

// traceOfReference traces the reference shader of an exercise, on the sizes of another.
func traceOfReference(id, sizesOf string) (*memtrace.Trace, error) {
	e, err := course.Find(id)
	if err != nil {
		return nil, err
	}
	other, err := course.Find(sizesOf)
	if err != nil {
		return nil, err
	}
	source, err := e.Reference()
	if err != nil {
		return nil, err
	}
	return traceOn(context.Background(), e, e.DrawCompared(other, seed), source)
}

// readAndTrace traces the learner's shader for an exercise, on its small case or at the sizes at
// which another one is compared. If it cannot, the note says why.
func readAndTrace(work, id, sizesOf string, as shader.SourceReader) (*memtrace.Trace, view.View) {
	e, err := course.Find(id)
	if err != nil {
		return nil, view.Note{Mark: view.Bad, Title: "Nothing to show", Body: english.Sentence(err.Error())}
	}
	c := func() course.Case { return e.DrawSmall(seed) }
	if other, err := course.Find(sizesOf); err == nil && sizesOf != "" {
		c = func() course.Case { return e.DrawCompared(other, seed) }
	}
	if e.Small == nil {
		return nil, view.Note{Mark: view.Bad, Title: "Nothing to show", Body: id + " is written in Go: only shaders can be traced."}
	}
	path := filepath.Join(work, id+".wgsl")
	source, err := learner.ReadShader(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notYet(id, "There is no shader of yours for "+id+" yet. Write it, run its cell, then run this one again.")
	}
	if err != nil {
		return nil, notYet(id, english.Sentence(err.Error()))
	}
	t, err := traceOn(context.Background(), e, c(), as(path, source))
	if err != nil {
		return nil, cannot(id, err)
	}
	if !t.Touches() {
		return nil, notYet(id, strings.TrimSpace("Your shader does not read or write a buffer yet. Write it above, run its cell, then run this one again. "+t.Caution()))
	}
	return t, nil
}

func notYet(id, body string) view.View {
	return view.Note{Title: id + ": nothing to see yet", Body: body}
}

// cannot says briefly why a shader does not run; its check says more.
func cannot(id string, err error) view.View {
	body := english.Sentence(err.Error())
	var mistake *shader.CompileError
	if errors.As(err, &mistake) {
		body = english.Sentence(mistake.Message)
		if mistake.Line > 0 {
			body = fmt.Sprintf("Line %d: %s\n    %s", mistake.Line, body, strings.TrimSpace(mistake.Text))
		}
	}
	return view.Note{Mark: view.Bad, Title: id + ": your shader does not run yet", Body: body + "\nIts check cell says more. Fix it, then run this cell again."}
}
