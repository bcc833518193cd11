// Package goals says what a learner's shader for an exercise costs, beside the reference, and which
// of the exercise's goals it reaches. Package cost counts.
package goals

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// Cost counts a shader on the large case of an exercise. If it has none, or the shader's
// workgroups are too small for it, the small case has to do. If the shader can't run, Exercise
// returns the error of the simulator's engine, a *shader.CompileError or *shader.BindError.
func Cost(ctx context.Context, exercise *course.Exercise, source *shader.Source, o cost.Options) (*cost.DispatchCost, error) {
	c, err := fitting(exercise, source)
	if err != nil {
		return nil, err
	}
	return in(ctx, exercise, c, source, o)
}

// countBoth counts a shader and the reference of its exercise on the same case.
func countBoth(ctx context.Context, exercise *course.Exercise, source *shader.Source) (yours, reference *cost.DispatchCost, err error) {
	usual, err := exercise.Reference()
	if err != nil {
		return nil, nil, err
	}
	c, err := fitting(exercise, source)
	if err != nil {
		return nil, nil, err
	}
	if yours, err = in(ctx, exercise, c, source, cost.Options{}); err != nil {
		return nil, nil, err
	}
	if reference, err = ofReference(exercise, c, usual); err != nil {
		return nil, nil, fmt.Errorf("the reference: %w", err)
	}
	return yours, reference, nil
}

// ofReference counts a reference once for each case: a learner compares with it again and again.
func ofReference(exercise *course.Exercise, c course.Case, reference *shader.Source) (*cost.DispatchCost, error) {
	type named string
	type counted struct {
		*cost.DispatchCost
		error
	}
	once := shader.Keep(reference, named(c.Name), func() counted {
		r, err := in(context.Background(), exercise, c, reference, cost.Options{})
		return counted{r, err}
	})
	return once.DispatchCost, once.error
}

// fitting draws the large case, or the small one if a shader can't run the large one.
func fitting(exercise *course.Exercise, source *shader.Source) (course.Case, error) {
	if exercise.Break != nil {
		return course.Case{}, fmt.Errorf("%s asks for a case: only shaders can be counted", exercise.ID)
	}
	large, there := exercise.DrawLarge(seed)
	if !there {
		return exercise.DrawSmall(seed), nil
	}
	d, err := exercise.Dispatched(large, source)
	if err != nil || slices.Max(d.Workgroups[:]) <= sim.Adapter().Limits.WorkgroupsPerDimension {
		return large, err
	}
	return exercise.DrawSmall(seed), nil
}

func in(ctx context.Context, exercise *course.Exercise, c course.Case, source *shader.Source, o cost.Options) (*cost.DispatchCost, error) {
	source = source.At(exercise.Entry)
	d, err := exercise.Dispatched(c, source)
	if err != nil {
		return nil, err
	}
	r, err := cost.Of(ctx, source, d, o)
	if err != nil {
		return nil, err
	}
	r.Exercise, r.Case = exercise.ID, c.Name+exercise.FirstPass()
	return r, nil
}

// seed draws the input values. A right shader's costs hardly depend on them.
const seed = 1

// Compare counts a shader and the reference of its exercise. Its errors are those of Cost.
func Compare(ctx context.Context, exercise *course.Exercise, source *shader.Source, on cost.GPU) (*cost.Comparison, error) {
	yours, reference, err := countBoth(ctx, exercise, source)
	if err != nil {
		return nil, err
	}
	return &cost.Comparison{
		Device: on, Yours: yours, Reference: reference, Bound: yours.On(on), ReferenceBound: reference.On(on), Least: reference.Least(on),
		Summary: yours.Summary(on), Marks: marks(exercise.Goals, yours, reference),
	}, nil
}

// Reached compares a shader with the goals of its exercise, and says what each line costs; it
// returns nil if there are no goals. Its errors are those of Cost.
func Reached(ctx context.Context, exercise *course.Exercise, source *shader.Source) (cost.Marks, []cost.Heat, error) {
	if len(exercise.Goals) == 0 {
		return nil, nil, nil
	}
	yours, reference, err := countBoth(ctx, exercise, source)
	if err != nil {
		return nil, nil, err
	}
	return marks(exercise.Goals, yours, reference), yours.Heats(), nil
}

func marks(goals []course.Goal, yours, reference *cost.DispatchCost) (marks cost.Marks) {
	for _, g := range goals {
		m := cost.GoalMark{Name: g.Name, Count: g.Count, Yours: yours.CountOf(g.Count, g.Of), Limit: g.Limit * reference.CountOf(g.Count, g.Of)}
		const rounding = 1e-6
		if m.Reached = yours.Finished && m.Yours <= m.Limit*(1+rounding); !m.Reached {
			m.Ask = g.Ask
			m.Line, m.Text = yours.MostOn(g.Count, g.Of)
		}
		if g.Of != "" {
			m.Count += " of " + g.Of
		}
		marks = append(marks, m)
	}
	return marks
}

// Views draws what the learner's shader for an exercise costs on a device; load reads that
// shader. If there is no shader yet, or it does not run, the views say what to do.
func Views(id, device string, load func(id string) (*shader.Source, error)) []view.View {
	return view.Drawn("What your shader costs", func() []view.View { return views(id, device, load) })
}

func views(id, device string, load func(string) (*shader.Source, error)) []view.View {
	nothing := func(err error) []view.View { return []view.View{nothingToShow(err)} }
	on, err := cost.FindDevice(device)
	if err != nil {
		return nothing(err)
	}
	e, err := course.Find(id)
	if err != nil {
		return nothing(err)
	}
	if e.IsOnHost() {
		return nothing(fmt.Errorf("%s is written in Go: only shaders can be counted", id))
	}
	source, err := load(id)
	if errors.Is(err, fs.ErrNotExist) {
		return []view.View{view.Note{Title: id + ": nothing to count yet", Body: "There is no shader of yours for " + id + " yet. Write it, run its cell, then run this one again."}}
	}
	if err != nil {
		return nothing(err)
	}
	c, err := Compare(context.Background(), e, source, on)
	if err != nil {
		return []view.View{view.Note{
			Mark: view.Bad, Title: id + ": your shader does not run yet", Body: english.Sentence(err.Error()) + "\nIts check cell says more. Fix it, then run this cell again.",
		}}
	}
	return c.Views()
}
