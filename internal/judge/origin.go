package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
)

// origin follows the first wrong element back to where it came from: that of the
// verdict's mismatch, or else of the smallest case with one. It is nil where the
// watcher cannot tell: nobody wrote the element, the run is long, or the watcher's
// own value is right.
func (r *run) origin(ctx context.Context) *verdict.Origin {
	program, ok := r.watched.(shader.Explainer)
	if !ok {
		return nil
	}
	for _, o := range r.failing() {
		i := o.difference.First
		if r.exercise.Allowed(o.Case).Allows(o.seen.Output.At(i), o.want.At(i)) {
			continue
		}
		found, err := program.Explain(ctx, r.dispatch(o.Case), i)
		if err == nil && found != nil {
			return &verdict.Origin{
				Case: o.Name, Want: verdict.Number(o.want.At(i)), Step: stepOf(found),
			}
		}
	}
	return nil
}

// wrongElement is what a debugger should stop at: the element whose origin is told, or else the first that is wrong where
// the debugger looks, in the simulator. Of a race a driver shows now this element and now that one, so its own counts only
// where nothing was watched. It is "" where every value is right.
func (r *run) wrongElement(origin *verdict.Origin) string {
	if origin != nil {
		return origin.Text
	}
	failing := r.failing()
	for _, o := range failing {
		if first := compare(o.seen.Output, o.want, r.exercise.Allowed(o.Case)).First; first >= 0 {
			return fmt.Sprintf("%s[%d]", r.output().Name, first)
		}
	}
	if len(failing) > 0 || r.mismatch == nil {
		return ""
	}
	return r.mismatch.Element()
}

// failing are the outcomes with a wrong value that are small enough to be followed
// back, the one that the verdict shows before the others.
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

// stepOf is an origin as a verdict has it.
func stepOf(o *shader.Origin) verdict.Step {
	s := verdict.Step{
		Text: o.Text, Value: o.Value, Line: o.Place.Line, Column: o.Place.Column,
		Workgroup: o.Place.Workgroup, Invocation: o.Place.Invocation, Times: o.Times,
	}
	for _, from := range o.From {
		s.From = append(s.From, stepOf(from))
	}
	return s
}
