package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func (f *facts) output() course.Binding { return f.exercise.Bindings[f.exercise.Output] }

// untouched diagnoses a shader that wrote nothing at all.
func untouched(f *facts) *verdict.Diagnosis {
	for _, o := range f.outcomes {
		if f.writtenUpTo(o) > 0 {
			return nil
		}
	}
	if _, beyond := f.firstOf(findings.OutOfBoundsWrite); beyond != nil {
		return nil
	}
	if f.exercise.InPlace && course.Begun(f.source) {
		return f.unchanged()
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.Stub,
		Message: "Nothing is written yet: " + f.output().Name + " is as it was before the run.",
		Ask:     "The task: " + f.exercise.Task,
	}
}

func (f *facts) unchanged() *verdict.Diagnosis {
	name := f.output().Name
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "unchanged",
		Message: fmt.Sprintf("Your shader ran, but it left %s unchanged.", name),
		Why:     "Either no invocation assigns to " + name + ", or each of them writes the very value that it has read. A new value that stays in a variable is lost when the invocation ends.",
		Ask:     "Which line gives an element of " + name + " another value than it had?",
	}
}

// writtenUpTo returns the index after the last element that changed.
func (f *facts) writtenUpTo(o outcome) int {
	before := o.Buffers[f.exercise.Output]
	n := before.Len()
	for n > 0 && o.got.Same(n-1, before) {
		n--
	}
	return n
}

// misconceived diagnoses a known misconception: its outputs match the shader's.
func misconceived(f *facts) *verdict.Diagnosis {
	for _, m := range f.exercise.Misconceptions {
		if f.couldMake(m) && f.matches(m) {
			d := known(m)
			d.Mismatch = f.mismatch
			return d
		}
	}
	return nil
}

// known turns a misconception into a diagnosis.
func known(m course.Misconception) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: m.Slug, Message: m.Title, Why: m.Why, Ask: m.Ask}
}

// couldMake reports whether the shader uses a builtin that the mistake needs.
func (f *facts) couldMake(m course.Misconception) bool {
	if len(m.Builtins) == 0 {
		return true
	}
	return slices.ContainsFunc(m.Builtins, f.asksFor)
}

// asksFor reports whether main, or a struct parameter of main, has a builtin value.
func (f *facts) asksFor(builtin string) bool {
	return slices.ContainsFunc(f.entry.Inputs, func(in types.IOVar) bool { return in.Builtin == builtin })
}

// misconceptionTolerance is relative: a few float32 roundings.
const misconceptionTolerance = 1e-6

// matches reports whether the outputs in every case are those of the misconception, and in at
// least one case not also right.
func (f *facts) matches(m course.Misconception) bool {
	telling := false
	_, beyond := f.firstOf(findings.OutOfBoundsWrite)
	for _, o := range f.outcomes {
		expected, got := m.Output(o.Case, f.size), o.determined()
		tolerance := f.exercise.Allowed(o.Case)
		// A misconception's values may be larger than the right ones.
		tolerance.Relative = max(tolerance.Relative, misconceptionTolerance)
		for i := range expected.Len() {
			if course.Undetermined(expected, i) || o.unknown(expected, i, beyond != nil) {
				telling = telling || !tolerance.Allows(got.At(i), o.want.At(i))
				continue
			}
			if !tolerance.Allows(got.At(i), expected.At(i)) {
				return false
			}
			telling = telling || !tolerance.Allows(expected.At(i), o.want.At(i))
		}
	}
	return telling
}

// determined returns what a case leaves on every device. NaN marks values that depend on an
// out-of-bounds read, as in the output of a misconception.
func (o outcome) determined() course.Buffer {
	if o.seen == nil || unfinished(o.seen) != nil {
		return o.got
	}
	out := o.seen.Output.Clone()
	for i, doubtful := range o.seen.Doubtful {
		if doubtful && out.Element == shader.F32 {
			out.Floats()[i] = course.PoisonF32
		}
	}
	return out
}

// unknown reports whether a misconception's value of an element is undetermined in a case that was
// not watched. It is if the value depends on an out-of-bounds read. It is also for the last
// element if writes go out of bounds: a browser's WebGPU may redirect them there.
func (o outcome) unknown(expected course.Buffer, i int, beyond bool) bool {
	return o.seen == nil && (math.IsNaN(expected.At(i)) || beyond && i == expected.Len()-1)
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
		if f.writtenUpTo(f.dropping(o)) > fixed || slices.ContainsFunc(f.writers(o), func(place [2]int) bool { return place[0] >= fixed }) {
			return nil
		}
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "fixed-length", Mismatch: f.mismatch,
		Message: fmt.Sprintf("Only the first %d elements of %s are ever written, however long it is.", fixed, f.output().Name),
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
	o.difference = compare(o.got, o.want, f.exercise.Allowed(o.Case))
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
		Ask:     "Which values should go into " + f.output().Name + "?",
	}
}

// unexplained falls back to showing the first wrong element.
func unexplained(f *facts) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: f.mismatch.Sentence(), Ask: f.mismatch.Question(), Mismatch: f.mismatch}
}

func mismatch(e *course.Exercise, o outcome) *verdict.Mismatch {
	if o.difference.First < 0 {
		return nil
	}
	i := o.difference.First
	m := &verdict.Mismatch{
		Case: o.Name, Output: e.Bindings[e.Output].Name, Index: i,
		Want: verdict.Number(o.want.At(i)), Got: verdict.Number(o.got.At(i)),
		Wrong: o.difference.Wrong, Of: o.want.Len(),
		Unwritten: o.got.Same(i, o.Buffers[e.Output]),
	}
	for j := max(0, i-1); j < min(o.want.Len(), i+4); j++ {
		m.Around = append(m.Around, verdict.Element{
			Index: j, Want: verdict.Number(o.want.At(j)), Got: verdict.Number(o.got.At(j)),
			OK:        e.Allowed(o.Case).Allows(o.got.At(j), o.want.At(j)),
			Unwritten: o.got.Same(j, o.Buffers[e.Output]),
		})
	}
	return m
}

// shortcut diagnoses a shader with right values that does not share them in workgroup memory, the
// point of the exercise.
func shortcut(f *facts) *verdict.Diagnosis {
	m := f.exercise.WithoutWorkgroupMemory
	switch {
	case m == nil:
		return nil
	case !f.shares():
		return known(*m)
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
