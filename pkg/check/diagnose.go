package check

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/pkg/lesson"
)

// judge decides, and looks for the reason where the shader is wrong.
func (r *run) judge() {
	wrong := r.firstWrong()
	if wrong == nil {
		r.pass()
		return
	}
	r.verdict.Mismatch = mismatch(r.exercise, *wrong)
	if r.untouched() {
		r.fail(StageCompare, "stub", "Nothing is written yet: "+r.exercise.Bindings[r.exercise.Output].Name+" is as it was before the run.")
		r.verdict.Mismatch = nil
		r.verdict.Ask = "The task: " + r.exercise.Task
		return
	}
	for _, m := range r.exercise.Misconceptions {
		if r.matches(m) {
			r.fail(StageCompare, m.Slug, m.Title)
			r.verdict.Why, r.verdict.Ask = m.Why, m.Ask
			return
		}
	}
	if r.onlyBeyond() {
		r.failBeyond()
		return
	}
	r.fail(StageCompare, "", r.verdict.Mismatch.sentence())
	r.verdict.Ask = r.verdict.Mismatch.question()
}

func (r *run) pass() {
	v := r.verdict
	v.Outcome, v.Stage = Pass, StageCompare
	v.Message = fmt.Sprintf("Right in all %d cases.", len(v.Cases))
}

func (r *run) firstWrong() *outcome {
	for i := range r.outcomes {
		if !r.outcomes[i].right() {
			return &r.outcomes[i]
		}
	}
	return nil
}

// untouched says whether the shader wrote nothing at all.
func (r *run) untouched() bool {
	for _, o := range r.outcomes {
		before := o.Buffers[r.exercise.Output]
		for i := range before.Len() {
			if !o.got.Same(i, before) {
				return false
			}
		}
		if len(o.beyond) > 0 {
			return false
		}
	}
	return true
}

// matches says whether the outputs are, in every case, what the misconception
// leads to, and in at least one case not also what is right.
func (r *run) matches(m lesson.Misconception) bool {
	telling := false
	for _, o := range r.outcomes {
		expected := m.Output(o.Case, r.size)
		tolerance := r.exercise.Allowed(o.Case)
		for i := range expected.Len() {
			if expected.F32 != nil && expected.F32[i] == lesson.Anything {
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

// onlyBeyond says whether all values are right and the only mistake is writing
// behind the end.
func (r *run) onlyBeyond() bool {
	for _, o := range r.outcomes {
		if o.difference.Wrong > 0 {
			return false
		}
	}
	return true
}

func (r *run) failBeyond() {
	o := r.firstWrong()
	name, n := r.exercise.Bindings[r.exercise.Output].Name, o.got.Len()
	r.verdict.Mismatch = nil
	if r.oneTooFar() {
		r.fail(StageCompare, "guard-off-by-one", fmt.Sprintf("The values are right, but one invocation too many gets past the guard: %s[%d] was written, and the last index is %d.", name, n, n-1))
		r.verdict.Why = "With n elements the indices run from 0 to n - 1. The element behind them belongs to somebody else; WebGPU quietly drops such a write, so that nobody sees the mistake until the code runs elsewhere."
		r.verdict.Ask = "Which of <, <=, > and >= stands in your guard?"
		return
	}
	r.fail(StageCompare, "missing-guard", fmt.Sprintf("The values are right, but the shader also writes behind the end: %s[%d] was written, and %s has %d elements.", name, o.beyond[0], name, n))
	r.verdict.Why = "The host starts whole workgroups, so there are more invocations than elements. The surplus ones must do nothing. WebGPU quietly drops what they write out of bounds; inside a larger buffer they would overwrite somebody else's data."
	r.verdict.Ask = fmt.Sprintf("The workgroup has %d invocations in x. For %d elements: how many run, and what should the surplus ones do?", r.size[0], n)
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
		m.Around = append(m.Around, Element{j, Number(o.want.At(j)), Number(o.got.At(j)), e.Allowed(o.Case).Allows(o.got.At(j), o.want.At(j))})
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
