package reasons

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// mostExplained limits the steps of a case in which origin traces a number.
const mostExplained = 1 << 19

// origin traces the first wrong element back to its source. It takes the verdict's mismatch, or
// else the smallest case with a wrong element. It returns nil if the watcher cannot tell: nothing
// wrote the element, the run is long, or the watcher's own value is right.
func (r *finder) origin(ctx context.Context) *verdict.Origin {
	program, ok := r.Origin, r.Origin != nil
	if !ok {
		return nil
	}
	for _, o := range r.failing() {
		for _, i := range r.told(o) {
			if o.Allowed.At(i).Allows(o.Seen.Output.At(i), o.Want.At(i)) || !sameStory(o, i) {
				continue
			}
			if found := explained(ctx, program, r.Dispatch(o.Case), o, i); found != nil {
				found.Packed = r.Output().Packed
				return found
			}
		}
	}
	return nil
}

// mostTold is how many wrong elements of the case that the verdict shows are tried: its table has
// as many.
const mostTold = 3

// told returns the elements of a case to trace: the first wrong one, and in the case that the
// verdict shows those after it, so that the trace is of the same case as the table.
func (r *finder) told(o evidence.CaseRun) []int {
	elements := []int{o.Difference.First}
	if r.Mismatch == nil || r.Mismatch.Case != o.Name {
		return elements
	}
	for i := o.Difference.First + 1; i < o.Want.Len() && len(elements) < mostTold; i++ {
		if !o.Allowed.At(i).Allows(o.Got.At(i), o.Want.At(i)) {
			elements = append(elements, i)
		}
	}
	return elements
}

// sameStory reports whether an element came out on the device as in the simulator, where its value
// is traced: after a race, the two may differ, and a table and a trace would tell of two runs.
func sameStory(o evidence.CaseRun, i int) bool {
	got, seen := o.Got.At(i), o.Seen.Output.At(i)
	return got == seen || o.Allowed.At(i).Allows(got, seen)
}

// originAt traces an element of a case back to its source.
func (r *finder) originAt(ctx context.Context, o evidence.CaseRun, element int) *verdict.Origin {
	program, ok := r.Origin, r.Origin != nil
	if !ok {
		return nil
	}
	found := explained(ctx, program, r.Dispatch(o.Case), o, element)
	if found != nil {
		found.Packed = r.Output().Packed
	}
	return found
}

func explained(ctx context.Context, program shader.Explainer, d shader.Dispatch, o evidence.CaseRun, element int) *verdict.Origin {
	found, err := program.Explain(ctx, d, element)
	if err != nil || found == nil {
		return nil
	}
	return &verdict.Origin{Case: o.Name, Want: numeric.JSONNumber(o.Want.At(element)), OriginStep: stepOf(found)}
}

// wrongElement returns the element that a debugger should stop at. That is the element whose
// origin is shown, or else the first one that is wrong in the simulator, where the debugger runs.
// After a race, a driver shows a different wrong element each time, so its own counts only if
// nothing was watched. It returns "" if all values are right.
func (r *finder) wrongElement(origin *verdict.Origin) string {
	if r.InPasses() {
		return "" // the debugger runs one pass
	}
	if vector := r.Output().Components() > 1; origin != nil && vector {
		return origin.Text[:strings.LastIndexByte(origin.Text, ']')+1] // without the component
	}
	if origin != nil {
		return origin.Text
	}
	failing := r.failing()
	for _, o := range failing {
		if first := evidence.Compare(o.Seen.Output, o.Want, o.Allowed).First; first >= 0 {
			element, _ := r.Output().Place(first)
			return r.stopAt(element)
		}
	}
	if len(failing) > 0 || r.Mismatch == nil {
		return ""
	}
	return r.stopAt(r.Mismatch.Index)
}

// stopAt names an element of the output as the debugger does.
func (f *finder) stopAt(element int) string { return fmt.Sprintf("%s[%d]", f.Output().Name, element) }

// failing returns the outcomes with a wrong value that are small enough to trace. The one that the
// verdict shows comes first.
func (r *finder) failing() []evidence.CaseRun {
	var failing []evidence.CaseRun
	for _, o := range r.Outcomes {
		if o.Difference.First >= 0 && o.Seen != nil && evidence.Unfinished(o.Seen) == nil && o.Seen.Steps <= mostExplained {
			failing = append(failing, o)
		}
	}
	shown := func(o evidence.CaseRun) int {
		if r.Wrong != nil && o.Name == r.Wrong.Name {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(failing, func(a, b evidence.CaseRun) int {
		return cmp.Or(cmp.Compare(shown(a), shown(b)), cmp.Compare(a.Seen.Steps, b.Seen.Steps))
	})
	return failing
}

// stepOf converts an engine's origin to a step of the verdict.
func stepOf(o *shader.Origin) verdict.OriginStep {
	s := verdict.OriginStep{
		Text: o.Text, Value: o.Value, Line: o.Place.Line, Column: o.Place.Column,
		Workgroup: o.Place.Workgroup, Invocation: o.Place.Invocation, Times: o.Times, Rounds: o.Rounds, Round: o.Round,
	}
	for _, from := range o.From {
		s.From = append(s.From, stepOf(from))
	}
	return s
}
