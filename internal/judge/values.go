package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func (f *facts) output() lesson.Binding { return f.exercise.Bindings[f.exercise.Output] }

// untouched: the shader wrote nothing at all.
func untouched(f *facts) *verdict.Diagnosis {
	for _, o := range f.outcomes {
		if f.writtenUpTo(o) > 0 {
			return nil
		}
	}
	if _, beyond := f.firstOf(sim.OutOfBoundsWrite); beyond != nil {
		return nil
	}
	if f.exercise.InPlace && f.shader.Uses(f.entry, f.declaredOutput()) > 0 {
		return f.unchanged()
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.Stub,
		Message: "Nothing is written yet: " + f.output().Name + " is as it was before the run.",
		Ask:     "The task: " + f.exercise.Task,
	}
}

// declaredOutput is what the shader calls the output.
func (f *facts) declaredOutput() string {
	for _, b := range f.module.Bindings {
		if int(b.Number) == f.exercise.Output {
			return b.Name
		}
	}
	return ""
}

func (f *facts) unchanged() *verdict.Diagnosis {
	name := f.output().Name
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "unchanged",
		Message: fmt.Sprintf("The shader ran, but %s came out as it went in.", name),
		Why:     "Either no invocation assigns to " + name + ", or each of them writes the very value that it has read. A new value that stays in a variable is lost when the invocation ends.",
		Ask:     "Which line gives an element of " + name + " another value than it had?",
	}
}

// writtenUpTo is the index behind the last element that changed.
func (f *facts) writtenUpTo(o outcome) int {
	before := o.Buffers[f.exercise.Output]
	n := before.Len()
	for n > 0 && o.got.Same(n-1, before) {
		n--
	}
	return n
}

// misconceived: the outputs are those of a known misconception.
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

// known is a misconception as a diagnosis.
func known(m lesson.Misconception) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: m.Slug, Message: m.Title, Why: m.Why, Ask: m.Ask}
}

// couldMake says whether the shader asks for a builtin that the mistake needs.
func (f *facts) couldMake(m lesson.Misconception) bool {
	if len(m.Builtins) == 0 {
		return true
	}
	return slices.ContainsFunc(m.Builtins, f.asksFor)
}

// asksFor says whether main, or a struct that it takes, has a builtin value.
func (f *facts) asksFor(builtin string) bool {
	return slices.ContainsFunc(f.entry.Inputs, func(in types.IOVar) bool { return in.Builtin == builtin })
}

// misconceptionTolerance is relative: a few float32 roundings.
const misconceptionTolerance = 1e-6

// matches says whether the outputs are, in every case, what the misconception
// leads to, and in at least one case not also what is right.
func (f *facts) matches(m lesson.Misconception) bool {
	telling := false
	_, beyond := f.firstOf(sim.OutOfBoundsWrite)
	for _, o := range f.outcomes {
		expected, got := m.Output(o.Case, f.size), o.determined()
		tolerance := f.exercise.Allowed(o.Case)
		// A misconception's values may be larger than the right ones.
		tolerance.Relative = max(tolerance.Relative, misconceptionTolerance)
		for i := range expected.Len() {
			if lesson.Undetermined(expected, i) || o.unknown(expected, i, beyond != nil) {
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

// determined is what a case leaves on every device: NaN stands for what depends on
// a read out of bounds, as it does in the output of a misconception.
func (o outcome) determined() lesson.Buffer {
	if o.seen == nil || unfinished(o.seen) != nil {
		return o.got
	}
	out := o.seen.Output.Clone()
	for i, doubtful := range o.seen.Doubtful {
		if doubtful && out.Element == shader.F32 {
			out.Floats()[i] = lesson.PoisonF32
		}
	}
	return out
}

// unknown says whether nobody knows what a misconception leaves in an element, in a case
// that nobody watched: it reads out of bounds for it, or it is the last one, where a
// browser's WebGPU puts what a shader writes beyond.
func (o outcome) unknown(expected lesson.Buffer, i int, beyond bool) bool {
	return o.seen == nil && (math.IsNaN(expected.At(i)) || beyond && i == expected.Len()-1)
}

// fixedLength: every case is right up to the same index, and nothing is written
// from there on.
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
		Why:     "How many elements there are is the host's affair, and each case has another number of them. A number that stands fixed in the shader is right for one of them at best.",
		Ask:     fmt.Sprintf("Where does the %d come from, and where could the shader ask for the real length?", fixed),
	}
}

// dropping is an outcome as it is where writes out of bounds go nowhere, as the watcher
// has it. A browser's WebGPU puts them on an element that is there.
func (f *facts) dropping(o outcome) outcome {
	if o.seen == nil || unfinished(o.seen) != nil || !slices.ContainsFunc(o.seen.Findings, func(found shader.Finding) bool {
		return found.Kind == sim.OutOfBoundsWrite
	}) {
		return o
	}
	o.got = o.seen.Output
	o.difference = compare(o.got, o.want, f.exercise.Allowed(o.Case))
	return o
}

// constant: every element of every case has one and the same value.
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
		Why:     "No input takes part in the result. The cases are drawn anew each time, so one answer never fits them all.",
		Ask:     "Which values should flow into " + f.output().Name + "?",
	}
}

// unexplained: the first wrong element has the word.
func unexplained(f *facts) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: f.mismatch.Sentence(), Ask: f.mismatch.Question(), Mismatch: f.mismatch}
}

func mismatch(e *lesson.Exercise, o outcome) *verdict.Mismatch {
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

// shortcut: the values are right, but the exercise is about working together in
// workgroup memory, and this shader does not.
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
			Message: "The values are right, but no invocation ever waits for another, so none may use what another has put into workgroup memory.",
		}
	}
	return nil
}

// shares says whether the functions that run use a variable in workgroup memory,
// at least once to write and once to read.
func (f *facts) shares() bool {
	for _, v := range f.module.Workgroup {
		if f.shader.Uses(f.entry, v.Name) > 1 {
			return true
		}
	}
	return false
}
