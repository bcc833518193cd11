package evidence

import (
	"context"
	"math"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// FirstMismatch returns the first wrong element of an outcome; nil if all are right.
func FirstMismatch(e *course.Exercise, o CaseRun) *verdict.Mismatch {
	if o.Difference.First < 0 {
		return nil
	}
	return MismatchAt(e, o, o.Difference.First)
}

// MismatchAt returns an element of an outcome with its surroundings.
func MismatchAt(e *course.Exercise, o CaseRun, i int) *verdict.Mismatch {
	b := e.Bindings[e.Output]
	index, component := b.Place(i)
	m := &verdict.Mismatch{
		Case: o.Name, Output: b.Name, Index: index, Component: component,
		Want: numeric.JSONNumber(o.Want.At(i)), Got: numeric.JSONNumber(o.Got.At(i)),
		Packed: b.Packed, Wrong: o.Difference.Wrong, Of: numbersIn(b, o.Want.Len()),
		Unwritten: o.Got.Same(i, o.Buffers[e.Output]), First: numeric.JSONNumber(o.Want.At(0)),
	}
	for j := max(0, i-1); j < min(o.Want.Len(), i+3); j++ {
		if b.IsPadding(j) {
			continue
		}
		index, component := b.Place(j)
		m.Around = append(m.Around, verdict.OutputElement{
			Index: index, Component: component, Want: numeric.JSONNumber(o.Want.At(j)), Got: numeric.JSONNumber(o.Got.At(j)),
			Packed:    b.Packed,
			OK:        o.Allowed.At(j).Allows(o.Got.At(j), o.Want.At(j)),
			Unwritten: o.Got.Same(j, o.Buffers[e.Output]),
		})
	}
	return m
}

// numbersIn counts the words of a buffer without the padding of vectors.
func numbersIn(b course.Binding, n int) int {
	if b.Components() == 3 {
		return n / 4 * 3
	}
	return n
}

// readsLanes reports whether the shader reads values of other lanes by their numbers.
func (f *Facts) readsLanes() bool {
	for _, call := range f.Shader.Info.Calls {
		if call.Builtin != nil && (strings.HasPrefix(call.Builtin.Name, "subgroupShuffle") || call.Builtin.Name == "subgroupBroadcast") {
			return true
		}
	}
	return false
}

// NoteKept corrects which elements were never written: one that holds its old value may have been
// written with it, or added to it: NaN and a number are NaN.
func (f *Facts) NoteKept(ctx context.Context) {
	if f.Mismatch != nil {
		f.Mismatch.Lanes = f.readsLanes()
	}
	if f.Mismatch == nil || !f.Mismatch.Unwritten || f.Wrong.Seen == nil || f.InPasses() {
		return
	}
	t, err := f.Trace(ctx, f.Source, *f.Wrong)
	if err != nil || t.Cut {
		return
	}
	written := func(index int, component string) bool {
		return len(t.Writing(sim.Word{Binding: f.Exercise.Output, Index: f.Output().Word(index, component)})) > 0
	}
	f.Mismatch.Unwritten = !written(f.Mismatch.Index, f.Mismatch.Component)
	f.Mismatch.Kept = !f.Mismatch.Unwritten && !math.IsNaN(float64(f.Mismatch.Got))
	for i := range f.Mismatch.Around {
		e := &f.Mismatch.Around[i]
		e.Unwritten = e.Unwritten && !written(e.Index, e.Component)
	}
}
