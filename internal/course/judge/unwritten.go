package judge

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// uncovered diagnoses a test that starts too few invocations: the shader is right up to an element,
// writes nothing from there on, and there are no invocations left for the rest.
func uncovered(f *facts) *verdict.Diagnosis {
	if !f.Exercise.IsTest || f.Wrong == nil {
		return nil
	}
	for _, o := range f.Outcomes {
		o = f.dropping(o)
		first := o.Difference.First
		if first < 0 {
			continue
		}
		if !f.endsWithInvocations(o.Case, first) || writtenUpTo(o.Got, o.Buffers[f.Exercise.Output]) > first {
			return nil
		}
	}
	wrong := f.dropping(*f.Wrong)
	d := f.tooFew(wrong, wrong.Difference.First)
	d.Mismatch = f.Mismatch
	return d
}

// endsWithInvocations reports whether as many numbers as there are before an index are those that
// the invocations of a case can write: each the same number of elements.
func (f *facts) endsWithInvocations(c course.Case, first int) bool {
	all := f.started(c) * f.Exercise.Bindings[f.Exercise.Output].Components()
	return !f.InPasses() && all > 0 && first > 0 && first%all == 0
}

// started returns how many invocations the host starts in a case.
func (f *facts) started(c course.Case) int {
	groups, size := f.Workgroups(c), f.Size
	return int(groups[0]*groups[1]*groups[2]) * int(size[0]*size[1]*size[2])
}

// tooFew says which elements of the output have no invocation: those from a number on.
func (f *facts) tooFew(o evidence.CaseRun, first int) *verdict.Diagnosis {
	b, n := f.Exercise.Bindings[f.Exercise.Output], o.Got.Len()
	from, _ := b.Place(first)
	last, _ := b.Place(n - 1)
	rest := fmt.Sprintf("`%s[%d]`", b.Name, from)
	if last > from {
		rest += fmt.Sprintf(" to `%s[%d]`", b.Name, last)
	}
	groups, size := f.Workgroups(o.Case), f.Size
	started := int(groups[0] * groups[1] * groups[2])
	enough := (n*started + first - 1) / first // each workgroup writes first / started numbers
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.NeverWritten,
		Message: fmt.Sprintf("Nothing writes %s: the test starts %s, and there are %s.", rest,
			english.Count(f.started(o.Case), "invocation", "invocations"), english.Count(last+1, "element", "elements")),
		Why: fmt.Sprintf("It starts %s of %d in case %s. Let it start %s, or let each invocation write more elements.",
			english.Count(started, "workgroup", "workgroups"), size[0]*size[1]*size[2], o.Name, english.Thousands(enough)),
		Ask: "How many workgroups does the host have to start?",
	}
}

// neverWritten looks for elements of the outputs that neither the shader of a test nor what it is
// compared with writes: these look right, but nothing has made them. It diagnoses a case without
// invocations for its last elements. For others, it returns a note: a list may be longer than what
// it holds.
func (r *run) neverWritten() (d *verdict.Diagnosis, note string) {
	if !r.Exercise.IsTest {
		return nil, ""
	}
	for i, output := range r.Exercise.Outputs() {
		view := *r
		if i > 0 {
			view.Exercise = r.Exercise.SeenFrom(i - 1)
		}
		if view.Exercise.InPlace {
			continue // the host fills it with values, which may stay
		}
		written, most := map[int]bool{}, evidence.CaseRun{}
		for _, o := range r.Outcomes {
			own := o
			own.Compared = o.All()[i]
			kept := r.kept(own, i, output)
			for k := range own.Got.Len() {
				if !kept[k] || view.Exercise.Bindings[output].IsPadding(k) {
					written[k] = true
				}
			}
			if end := own.Got.Len() - len(kept); len(kept) > 0 && end > 0 && view.endsWithInvocations(o.Case, end) && kept[end] && len(kept) == keptFrom(kept, end) {
				return view.tooFew(own, end), ""
			}
			if most.Got.Len() < own.Got.Len() {
				most = own
			}
		}
		if n := most.Got.Len(); len(written) < n && note == "" {
			for k := range n {
				if !written[k] {
					place, _ := view.Exercise.Bindings[output].Place(k)
					note = fmt.Sprintf("In no case does anything write `%s[%d]`, neither the shader nor what it is compared with: %s.", view.Exercise.Bindings[output].Name, place,
						english.Count(n-len(written), "number stays as it was", "numbers stay as they were"))
					break
				}
			}
		}
	}
	return nil, note
}

// oddDispatch looks whether the cases of a test start too many workgroups or too few. Too many are
// a note. Too few are a diagnosis if neither the shader nor what it is compared with writes the
// rest, as a note of neverWritten says.
func (r *run) oddDispatch(ctx context.Context, unwritten string) (*verdict.Diagnosis, string, error) {
	if r.InPasses() {
		return nil, unwritten, nil // the passes divide the work
	}
	note := unwritten
	for _, o := range r.Outcomes {
		odd, err := simulator.OddDispatchOf(ctx, r.Source.At(r.Exercise.Entry), r.Dispatch(o.Case))
		switch {
		case ctx.Err() != nil:
			return nil, "", ctx.Err()
		case err != nil || odd == nil:
		case odd.Kind == findings.FewWorkgroups && unwritten != "":
			d := r.told(odd, verdict.NeverWritten, fmt.Sprintf("The values that the test expects there are those from before the run, in case %s.", o.Name),
				"How many workgroups does the host have to start?")
			d.Stage = verdict.StageCompare
			return d, "", nil
		case odd.Kind == findings.SpareWorkgroups && note == "":
			note = fmt.Sprintf("In case %s, %s.", o.Name, odd.Message)
		}
	}
	return nil, note, nil
}

// kept returns the numbers of an output that neither the shader nor what it is compared with writes
// in a case. NaN in the place of NaN says nothing: the shader then runs again with other numbers.
func (r *run) kept(o evidence.CaseRun, nth, output int) map[int]bool {
	kept, before := map[int]bool{}, o.Buffers[output]
	for k := range o.Got.Len() {
		if o.Got.Same(k, before) && o.Want.Same(k, before) {
			kept[k] = true
		}
	}
	if len(kept) == 0 || r.Exercise.Bindings[output].Element() != shader.F32 {
		return kept
	}
	filled := withoutNaN(o.Case)
	result, err := r.watchAgain(filled)
	if err != nil {
		return nil
	}
	left := result.All()[nth].Output
	for k := range kept {
		if !left.Same(k, filled.Buffers[output]) {
			delete(kept, k)
		}
	}
	return kept
}

// keptFrom counts the kept numbers from one on, up to the first that isn't.
func keptFrom(kept map[int]bool, from int) (n int) {
	for kept[from+n] {
		n++
	}
	return n
}
