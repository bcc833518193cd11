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
	c, err := b.Case(r.Source)
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
	v, err := Run(ctx, on, alone, b.Wrong, r.seed)
	switch {
	case err != nil:
		return nil, fmt.Errorf("running the wrong shader on the case: %w", err)
	case v.Passed() && r.Exercise.Untouched(r.Source.Text):
		return &verdict.Diagnosis{
			Stage: verdict.StageCompare, Slug: verdict.Stub,
			Message: "Nothing is written yet: the case is the one that you were given, and the wrong shader is right in it.",
			Ask:     "The task: " + r.Exercise.Task,
		}, nil
	case v.Passed():
		return survived(c), nil
	}
	r.broken = fmt.Sprintf("The wrong shader fails in your case, %s: %s The %d right shaders survive it.", c.Name, shown(v), len(b.Right))
	return nil, nil
}

// shown says what a shader left in a case.
func shown(v *verdict.Verdict) string {
	switch {
	case v.Slug == "unchanged" || v.Slug == verdict.Stub: // said about somebody else's shader
		return "it leaves no number there: only NaN, or nothing."
	case v.Mismatch == nil:
		return v.Message
	}
	return v.Mismatch.Short()
}

func survived(c course.Case) *verdict.Diagnosis {
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.Survived,
		Message: fmt.Sprintf("The wrong shader is right in your case, %s.", c.Name),
		Why:     "Its mistake makes no difference here. So a check with only this case would let it pass.",
		Ask:     "What does the shader take for granted, and which sizes or values break that?",
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
