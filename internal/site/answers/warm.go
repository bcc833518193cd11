package answers

import (
	"context"

	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/shaders"
)

// warm judges the reference of an exercise, for nobody to see. A browser compiles what it
// runs when it first runs, and so a visitor's first check would take several times as long
// as the next.
func (d *Desk) warm(ctx context.Context, r Request) (any, error) {
	exercise, err := lesson.Find(r.Exercise)
	if err != nil {
		return nil, err
	}
	source, err := shaders.Source(exercise.ID)
	if err != nil {
		return nil, err
	}
	on, err := d.device.open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := judge.Run(ctx, on.Engines, exercise, learner.ShaderPath(exercise.ID), source, lookSeed)
	d.device.leaveIfLost()
	if err != nil {
		return nil, err
	}
	formats(v)
	return struct{}{}, nil
}
