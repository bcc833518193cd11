package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// checkCase takes a case that the learner wrote: the wrong shader has to go wrong in it, and the
// right ones have to survive it. It returns nil if so. All of them run under the watcher.
func (r *run) checkCase(ctx context.Context) (*verdict.Diagnosis, error) {
	b := r.Exercise.Break
	c, broken, err := b.Case(r.Source)
	var mistake *course.CaseError
	if errors.As(err, &mistake) {
		d := &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "not-a-case", Region: mistake.Region, Message: mistake.Message, Ask: "The task: " + r.Exercise.Task}
		d.Excerpt, _ = r.Source.Line(mistake.Line)
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	r.written = c.Name
	on := shader.Engines{Values: r.watcher, Watcher: r.watcher}
	alone := b.Alone(c)
	for _, right := range b.Right {
		v, err := Run(ctx, on, alone, right, r.seed)
		if err != nil {
			return nil, fmt.Errorf("running a right shader on the case: %w", err)
		}
		if !v.Passed() {
			return unfair(c, v), nil
		}
	}
	failed, err := goesWrong(ctx, on, b, c, broken, r.seed)
	switch {
	case err != nil:
		return nil, fmt.Errorf("running the wrong %s on the case: %w", b.What(), err)
	case failed == "" && r.Exercise.Untouched(r.Source.Text):
		return &verdict.Diagnosis{
			Stage: verdict.StageCompare, Slug: verdict.Stub,
			Message: "Nothing is written yet: the case is the one that you were given, and the wrong " + b.What() + " is right in it.",
			Ask:     "The task: " + r.Exercise.Task,
		}, nil
	case failed == "":
		return survived(b, c), nil
	}
	r.broken = fmt.Sprintf("The wrong %s fails in your case, %s: %s The %d right shaders survive it.", b.What(), c.Name, failed, len(b.Right))
	return nil, nil
}

// goesWrong says what the wrong shader or host leaves in a case; "" if that is right.
func goesWrong(ctx context.Context, on shader.Engines, b *course.Break, c, broken course.Case, seed uint64) (string, error) {
	if b.What() == "shader" {
		v, err := Run(ctx, on, b.Alone(broken), b.Wrong, seed)
		if err != nil || v.Passed() {
			return "", err
		}
		return shown(v), nil
	}
	var left [2]shader.Buffer
	for i, one := range []course.Case{c, broken} {
		result, err := b.Of.RunOnce(ctx, on.Watcher, b.Wrong, one, func(*shader.Dispatch) {})
		if err != nil {
			return "", err
		}
		left[i] = result.Output
	}
	for i := range left[0].Len() {
		if due := left[0].At(i); left[1].At(i) != due {
			return fmt.Sprintf("no invocation writes `%s[%d]`, which should be %.6g.", b.Of.Bindings[b.Of.Output].Name, i, due), nil
		}
	}
	return "", nil
}

// shown says what a shader left in a case.
func shown(v *verdict.Verdict) string {
	switch {
	case v.Slug == "unchanged" || v.Slug == verdict.Stub: // said about somebody else's shader
		return "it changes no element of its output, or leaves only NaN there."
	case v.Mismatch == nil:
		return v.Message
	}
	return v.Mismatch.Short()
}

func survived(b *course.Break, c course.Case) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.Survived,
		Message: fmt.Sprintf("The wrong %s is right in your case, %s.", b.What(), c.Name),
		Why:     "Its mistake makes no difference here. So a check with only this case would let it pass.",
		Ask:     "What does the " + b.What() + " take for granted, and which sizes or values break that?",
	}
}

func unfair(c course.Case, v *verdict.Verdict) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "unfair-case",
		Message: fmt.Sprintf("In your case, %s, a right shader fails as well.", c.Name),
		Why:     shown(v),
		Ask:     "Which numbers can no shader handle: too large for an f32, so far from 0 that their difference is lost, or not numbers at all?",
	}
}
