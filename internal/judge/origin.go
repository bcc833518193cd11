package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
)

// origin traces the first wrong element back to its source. It takes the verdict's mismatch, or
// else the smallest case with a wrong element. It returns nil if the watcher cannot tell: nothing
// wrote the element, the run is long, or the watcher's own value is right.
func (r *run) origin(ctx context.Context) *verdict.Origin {
	program, ok := r.watched.(shader.Explainer)
	if !ok {
		return nil
	}
	for _, o := range r.failing() {
		i := o.difference.First
		if o.allowed.At(i).Allows(o.seen.Output.At(i), o.want.At(i)) {
			continue
		}
		if found := explained(ctx, program, r.dispatch(o.Case), o, i); found != nil {
			return found
		}
	}
	return nil
}

// originAt traces an element of a case back to its source.
func (r *run) originAt(ctx context.Context, o outcome, element int) *verdict.Origin {
	program, ok := r.watched.(shader.Explainer)
	if !ok {
		return nil
	}
	return explained(ctx, program, r.dispatch(o.Case), o, element)
}

func explained(ctx context.Context, program shader.Explainer, d shader.Dispatch, o outcome, element int) *verdict.Origin {
	found, err := program.Explain(ctx, d, element)
	if err != nil || found == nil {
		return nil
	}
	return &verdict.Origin{Case: o.Name, Want: verdict.Number(o.want.At(element)), Step: stepOf(found)}
}

// wrongElement returns the element that a debugger should stop at. That is the element whose
// origin is shown, or else the first one that is wrong in the simulator, where the debugger runs.
// After a race, a driver shows a different wrong element each time, so its own counts only if
// nothing was watched. It returns "" if all values are right.
func (r *run) wrongElement(origin *verdict.Origin) string {
	if r.inPasses() {
		return "" // the debugger runs one pass
	}
	if vector := r.output().Components() > 1; origin != nil && vector {
		return origin.Text[:strings.LastIndexByte(origin.Text, ']')+1] // without the component
	}
	if origin != nil {
		return origin.Text
	}
	failing := r.failing()
	for _, o := range failing {
		if first := compare(o.seen.Output, o.want, o.allowed).First; first >= 0 {
			element, _ := r.output().Place(first)
			return r.stopAt(element)
		}
	}
	if len(failing) > 0 || r.mismatch == nil {
		return ""
	}
	return r.stopAt(r.mismatch.Index)
}

// stopAt names an element of the output as the debugger does.
func (f *facts) stopAt(element int) string { return fmt.Sprintf("%s[%d]", f.output().Name, element) }

// failing returns the outcomes with a wrong value that are small enough to trace. The one that the
// verdict shows comes first.
func (r *run) failing() []outcome {
	var failing []outcome
	for _, o := range r.outcomes {
		if o.difference.First >= 0 && o.seen != nil && unfinished(o.seen) == nil && o.seen.Steps <= mostExplained {
			failing = append(failing, o)
		}
	}
	shown := func(o outcome) int {
		if r.wrong != nil && o.Name == r.wrong.Name {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(failing, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(shown(a), shown(b)), cmp.Compare(a.seen.Steps, b.seen.Steps))
	})
	return failing
}

// stepOf converts an engine's origin to a step of the verdict.
func stepOf(o *shader.Origin) verdict.Step {
	s := verdict.Step{
		Text: o.Text, Value: o.Value, Line: o.Place.Line, Column: o.Place.Column,
		Workgroup: o.Place.Workgroup, Invocation: o.Place.Invocation, Times: o.Times, Rounds: o.Rounds, Round: o.Round,
	}
	for _, from := range o.From {
		s.From = append(s.From, stepOf(from))
	}
	return s
}
