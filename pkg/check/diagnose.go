package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/wgsl"
)

// judge decides, and looks for the reason where the shader is wrong.
func (r *run) judge() error {
	wrong := r.firstWrong()
	known := []func() bool{r.racing}
	unknown := []func() bool{r.orderMatters, r.shortcut}
	if wrong != nil {
		r.verdict.Mismatch = mismatch(r.exercise, *wrong)
		known = []func() bool{r.misdeclared, r.untouched, r.racing, r.misconceived, r.surplus, r.onlyBeyond, r.crowded}
		unknown = []func() bool{r.orderMatters, r.fixedLength, r.constant}
	}
	if diagnosed(known) {
		return nil
	}
	// Other orders take several runs: only a shader that nothing else explains is
	// worth them.
	if err := r.runReordered(); err != nil {
		return err
	}
	switch {
	case diagnosed(unknown):
	case wrong == nil:
		r.pass()
	default:
		r.failUnexplained()
	}
	return nil
}

func diagnosed(diagnoses []func() bool) bool {
	return slices.ContainsFunc(diagnoses, func(d func() bool) bool { return d() })
}

func (r *run) failUnexplained() {
	r.fail(StageCompare, "", r.verdict.Mismatch.sentence())
	r.verdict.Ask = r.verdict.Mismatch.question()
}

func (r *run) pass() {
	v := r.verdict
	v.Outcome, v.Stage = Pass, StageCompare
	v.Message = fmt.Sprintf("Right in all %d cases.", len(v.Cases))
}

// firstWrong is the first case with a wrong value; when all values are right,
// the first that was written to behind its end; nil when there is none.
func (r *run) firstWrong() *outcome {
	var overrun *outcome
	for i := range r.outcomes {
		switch o := &r.outcomes[i]; {
		case o.difference.Wrong > 0:
			return o
		case len(o.beyond) > 0 && overrun == nil:
			overrun = o
		}
	}
	return overrun
}

func (r *run) output() lesson.Binding { return r.exercise.Bindings[r.exercise.Output] }

// untouched: the shader wrote nothing at all.
func (r *run) untouched() bool {
	for _, o := range r.outcomes {
		if r.writtenUpTo(o) > 0 || len(o.beyond) > 0 {
			return false
		}
	}
	if r.inPlace() && r.functions.Uses(r.declaredOutput()) > 0 {
		r.failUnchanged()
		return true
	}
	r.fail(StageCompare, "stub", "Nothing is written yet: "+r.output().Name+" is as it was before the run.")
	r.verdict.Mismatch = nil
	r.verdict.Ask = "The task: " + r.exercise.Task
	return true
}

// writtenUpTo is the index behind the last element that changed.
func (r *run) writtenUpTo(o outcome) int {
	before := o.Buffers[r.exercise.Output]
	n := before.Len()
	for n > 0 && o.got.Same(n-1, before) {
		n--
	}
	return n
}

// misconceived: the outputs are those of a known misconception.
func (r *run) misconceived() bool {
	for _, m := range r.exercise.Misconceptions {
		if r.couldMake(m) && r.matches(m) {
			r.fail(StageCompare, m.Slug, m.Title)
			r.verdict.Why, r.verdict.Ask = m.Why, m.Ask
			return true
		}
	}
	return false
}

// couldMake says whether the shader asks for a builtin that the mistake needs.
func (r *run) couldMake(m lesson.Misconception) bool {
	if len(m.Builtins) == 0 {
		return true
	}
	entry, _ := r.module.Entry(gpu.EntryPoint)
	return slices.ContainsFunc(entry.Params, func(p wgsl.Param) bool {
		// A parameter without a builtin of its own is a struct of them.
		return p.Builtin == "" || slices.Contains(m.Builtins, p.Builtin)
	})
}

// misconceptionTolerance is relative: a few float32 roundings.
const misconceptionTolerance = 1e-6

// matches says whether the outputs are, in every case, what the misconception
// leads to, and in at least one case not also what is right.
func (r *run) matches(m lesson.Misconception) bool {
	telling := false
	for _, o := range r.outcomes {
		expected := m.Output(o.Case, r.size)
		tolerance := r.exercise.Allowed(o.Case)
		// A misconception's values may be larger than the right ones.
		tolerance.Relative = max(tolerance.Relative, misconceptionTolerance)
		for i := range expected.Len() {
			if expected.Undetermined(i) {
				telling = telling || !tolerance.Allows(o.got.At(i), o.want.At(i))
				continue
			}
			if !tolerance.Allows(o.got.At(i), expected.At(i)) {
				return false
			}
			telling = telling || !tolerance.Allows(expected.At(i), o.want.At(i))
		}
	}
	return telling
}

// onlyBeyond: all values are right, and the only mistake is writing behind the end.
func (r *run) onlyBeyond() bool {
	for _, o := range r.outcomes {
		if o.difference.Wrong > 0 {
			return false
		}
	}
	o := r.firstWrong()
	name, n := r.output().Name, o.got.Len()
	r.verdict.Mismatch = nil
	if r.oneTooFar() {
		r.fail(StageCompare, "guard-off-by-one", fmt.Sprintf("The values are right, but one invocation too many gets past the guard: %s[%d] was written, and the last index is %d.", name, n, n-1))
		r.verdict.Why = "With n elements the indices run from 0 to n - 1. The element behind them belongs to somebody else; WebGPU quietly drops such a write, so that nobody sees the mistake until the code runs elsewhere."
		r.verdict.Ask = "Which of <, <=, > and >= stands in your guard?"
		return true
	}
	r.fail(StageCompare, "missing-guard", fmt.Sprintf("The values are right, but the shader also writes behind the end: %s[%d] was written, and %s has %d elements.", name, o.beyond[0], name, n))
	r.verdict.Why = "The host starts whole workgroups, so there are more invocations than elements. The surplus ones must do nothing. WebGPU quietly drops what they write out of bounds; inside a larger buffer they would overwrite somebody else's data."
	r.verdict.Ask = fmt.Sprintf("The workgroup has %d invocations in x. For %d elements: how many run, and what should the surplus ones do?", r.size[0], n)
	return true
}

// oneTooFar says whether nothing but the element right behind the end was written.
func (r *run) oneTooFar() bool {
	for _, o := range r.outcomes {
		if len(o.beyond) > 1 || len(o.beyond) == 1 && o.beyond[0] != o.got.Len() {
			return false
		}
	}
	return true
}

// fixedLength: every case is right up to the same index, and nothing is written
// from there on.
func (r *run) fixedLength() bool {
	fixed := 0
	for _, o := range r.outcomes {
		if first := o.difference.First; first >= 0 && (first == 0 || fixed > 0 && first != fixed) {
			return false
		} else if first > 0 {
			fixed = first
		}
	}
	for _, o := range r.outcomes {
		if r.writtenUpTo(o) > fixed || len(o.beyond) > 0 && slices.Max(o.beyond) >= fixed {
			return false
		}
	}
	name := r.output().Name
	r.fail(StageCompare, "fixed-length", fmt.Sprintf("Only the first %d elements of %s are ever written, however long it is.", fixed, name))
	r.verdict.Why = "How many elements there are is the host's affair, and each case has another number of them. A number that stands fixed in the shader is right for one of them at best."
	r.verdict.Ask = fmt.Sprintf("Where does the %d come from, and where could the shader ask for the real length?", fixed)
	return true
}

// constant: every element of every case has one and the same value.
func (r *run) constant() bool {
	value := r.outcomes[0].got.At(0)
	for _, o := range r.outcomes {
		for i := range o.got.Len() {
			if o.got.At(i) != value {
				return false
			}
		}
	}
	r.fail(StageCompare, "constant", fmt.Sprintf("Every element is %s, in every case.", Number(value)))
	r.verdict.Why = "No input takes part in the result. The cases are drawn anew each time, so one answer never fits them all."
	r.verdict.Ask = "Which values should flow into " + r.output().Name + "?"
	return true
}

func mismatch(e *lesson.Exercise, o outcome) *Mismatch {
	if o.difference.First < 0 {
		return nil
	}
	i := o.difference.First
	m := &Mismatch{
		Case: o.Name, Output: e.Bindings[e.Output].Name, Index: i,
		Want: Number(o.want.At(i)), Got: Number(o.got.At(i)),
		Wrong: o.difference.Wrong, Of: o.want.Len(),
		Unwritten: o.got.Same(i, o.Buffers[e.Output]),
	}
	for j := max(0, i-1); j < min(o.want.Len(), i+4); j++ {
		m.Around = append(m.Around, Element{
			Index: j, Want: Number(o.want.At(j)), Got: Number(o.got.At(j)),
			OK:        e.Allowed(o.Case).Allows(o.got.At(j), o.want.At(j)),
			Unwritten: o.got.Same(j, o.Buffers[e.Output]),
		})
	}
	return m
}

func (m *Mismatch) sentence() string {
	if m.Unwritten {
		return fmt.Sprintf("%s[%d] was never written (%s, %d of %d elements are not right).", m.Output, m.Index, m.Case, m.Wrong, m.Of)
	}
	return fmt.Sprintf("%s[%d] should be %s, but is %s (%s, %d of %d elements are not right).", m.Output, m.Index, m.Want, m.Got, m.Case, m.Wrong, m.Of)
}

func (m *Mismatch) question() string {
	got := float64(m.Got)
	switch {
	case m.Unwritten:
		return fmt.Sprintf("Which invocation should have written %s[%d], and what kept it away?", m.Output, m.Index)
	case math.IsNaN(got):
		return fmt.Sprintf("NaN comes from reading memory that nobody wrote, or from 0/0. Which of your reads could do that for index %d?", m.Index)
	case m.Index > 0:
		return fmt.Sprintf("%s[0] is right. What is different for index %d?", m.Output, m.Index)
	case got == 0:
		return "Follow one invocation through your shader: where does the value become 0?"
	}
	return fmt.Sprintf("Work %s[0] out by hand from the inputs: which step gives %s?", m.Output, m.Got)
}
