package judge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

func (f *facts) output() course.Binding { return f.exercise.Bindings[f.exercise.Output] }

// untouched diagnoses a shader that left its output as it was: the learner has not begun, or works
// on a copy.
func untouched(f *facts) *verdict.Diagnosis {
	for _, o := range f.outcomes {
		for i, output := range f.exercise.Outputs() {
			if writtenUpTo(o.all()[i].got, o.Buffers[output]) > 0 {
				return nil
			}
		}
	}
	if _, beyond := f.firstOf(findings.OutOfBoundsWrite); beyond != nil {
		return nil
	}
	if course.Begun(f.source) {
		return f.unchanged()
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.Stub,
		Message: fmt.Sprintf("Nothing is written yet: `%s` is as it was before the run.", f.output().Name),
		Ask:     "The task: " + f.exercise.Task,
	}
}

func (f *facts) unchanged() *verdict.Diagnosis {
	name := "`" + f.output().Name + "`"
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "unchanged",
		Message: fmt.Sprintf("Your shader ran, but it left %s unchanged.", name),
		Why:     "Either no invocation assigns to " + name + ", or each of them writes the very value that it has read. A new value that stays in a variable is lost when the invocation ends.",
		Ask:     "Which line gives an element of " + name + " another value than it had?",
	}
}

// writtenUpTo returns the index after the last element that changed.
func writtenUpTo(got, before course.Buffer) int {
	n := before.Len()
	for n > 0 && got.Same(n-1, before) {
		n--
	}
	return n
}

// fixedLength diagnoses a shader that is right up to the same index in every case and writes
// nothing from there on.
func fixedLength(f *facts) *verdict.Diagnosis {
	fixed := 0
	for _, o := range f.outcomes {
		if first := f.dropping(o).difference.First; first >= 0 && (first == 0 || fixed > 0 && first != fixed) {
			return nil
		} else if first > 0 {
			fixed = first
		}
	}
	for _, o := range f.outcomes {
		if writtenUpTo(f.dropping(o).got, o.Buffers[f.exercise.Output]) > fixed || slices.ContainsFunc(f.writers(o), func(place [2]int) bool { return place[0] >= fixed }) {
			return nil
		}
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "fixed-length", Mismatch: f.mismatch,
		Message: fmt.Sprintf("Only the first %d elements of `%s` are ever written, however long it is.", fixed, f.output().Name),
		Why:     "The host decides how many elements there are, and each case has a different number. A number written into the shader is right for at most one of them.",
		Ask:     fmt.Sprintf("Where does the %d come from, and where can your shader find the real length?", fixed),
	}
}

// dropping returns an outcome with the watcher's values, where out-of-bounds writes have no
// effect. A browser's WebGPU redirects them to an existing element.
func (f *facts) dropping(o outcome) outcome {
	if o.seen == nil || unfinished(o.seen) != nil || !slices.ContainsFunc(o.seen.Findings, func(found findings.Finding) bool {
		return found.Kind == findings.OutOfBoundsWrite
	}) {
		return o
	}
	o.got = o.seen.Output
	o.difference = compare(o.got, o.want, o.allowed)
	return o
}

// constant diagnoses a shader that gives every element of every case the same value.
func constant(f *facts) *verdict.Diagnosis {
	value := f.outcomes[0].got.At(0)
	for _, o := range f.outcomes {
		for i := range o.got.Len() {
			if o.got.At(i) != value {
				return nil
			}
		}
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "constant", Mismatch: f.mismatch,
		Message: fmt.Sprintf("Every element is %s, in every case.", verdict.Number(value)),
		Why:     "Your result doesn't depend on any input. The check draws new cases every time, so no single answer fits them all.",
		Ask:     "Which values should go into `" + f.output().Name + "`?",
	}
}

// unexplained falls back to showing the first wrong element.
func unexplained(f *facts) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: f.mismatch.Sentence(), Ask: f.mismatch.Question(), General: true, Mismatch: f.mismatch}
}

// mismatch returns the first wrong element of an outcome; nil if all are right.
func mismatch(e *course.Exercise, o outcome) *verdict.Mismatch {
	if o.difference.First < 0 {
		return nil
	}
	return mismatchAt(e, o, o.difference.First)
}

func mismatchAt(e *course.Exercise, o outcome, i int) *verdict.Mismatch {
	b := e.Bindings[e.Output]
	index, component := b.Place(i)
	m := &verdict.Mismatch{
		Case: o.Name, Output: b.Name, Index: index, Component: component,
		Want: verdict.Number(o.want.At(i)), Got: verdict.Number(o.got.At(i)),
		Wrong: o.difference.Wrong, Of: numbersIn(b, o.want.Len()),
		Unwritten: o.got.Same(i, o.Buffers[e.Output]), First: verdict.Number(o.want.At(0)),
	}
	for j := max(0, i-1); j < min(o.want.Len(), i+3); j++ {
		if b.IsPadding(j) {
			continue
		}
		index, component := b.Place(j)
		m.Around = append(m.Around, verdict.Element{
			Index: index, Component: component, Want: verdict.Number(o.want.At(j)), Got: verdict.Number(o.got.At(j)),
			OK:        o.allowed.At(j).Allows(o.got.At(j), o.want.At(j)),
			Unwritten: o.got.Same(j, o.Buffers[e.Output]),
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

// noteKept corrects which elements were never written: one that holds its old value may have been
// written with it, or added to it: NaN and a number are NaN.
func (r *run) noteKept(ctx context.Context) {
	if r.mismatch == nil || !r.mismatch.Unwritten || r.wrong.seen == nil || r.inPasses() {
		return
	}
	t, err := r.traced(ctx, r.source, *r.wrong)
	if err != nil || t.Cut {
		return
	}
	written := func(index int, component string) bool {
		return len(t.touching(word{r.exercise.Output, r.output().Word(index, component)}, sim.Write)) > 0
	}
	r.mismatch.Unwritten = !written(r.mismatch.Index, r.mismatch.Component)
	r.mismatch.Kept = !r.mismatch.Unwritten && !math.IsNaN(float64(r.mismatch.Got))
	for i := range r.mismatch.Around {
		e := &r.mismatch.Around[i]
		e.Unwritten = e.Unwritten && !written(e.Index, e.Component)
	}
}

// shortcut diagnoses a shader with right values that does not share them in workgroup memory, the
// point of the exercise.
func shortcut(f *facts) *verdict.Diagnosis {
	switch {
	case f.exercise.WithoutWorkgroupMemory == "":
		return nil
	case !f.shares():
		return f.named(f.exercise.WithoutWorkgroupMemory)
	case !f.shader.Waits(f.entry) && f.size[0]*f.size[1]*f.size[2] > 1:
		return &verdict.Diagnosis{
			Stage: verdict.StageCompare, Slug: missingBarrier, Why: barrierWhy, Ask: barrierAsk,
			Message: "The values are right, but no invocation ever waits for another. So none may use what another wrote to workgroup memory.",
		}
	}
	return nil
}

// shares reports whether the functions that run both write and read a variable in workgroup
// memory.
func (f *facts) shares() bool {
	for _, v := range f.module.Workgroup {
		if f.shader.Uses(f.entry, v.Name) > 1 {
			return true
		}
	}
	return false
}
