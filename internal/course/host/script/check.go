package script

import (
	"context"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/forward"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/course/training"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Checker checks learners' programs. It keeps the device on which it checks their shaders.
type Checker struct{ simulator *gpu.Device }

// Check runs a program for an exercise and judges it. Besides the verdict it returns what to show
// beside it. The shaders are those in the work folder of the current folder.
func (c *Checker) Check(ctx context.Context, id string, p *Program, seed uint64) (v *verdict.Verdict, beside []view.View, err error) {
	var whose view.View
	switch id {
	case course.Forward.ID:
		v, whose, err = forward.Judged(p.Forward, seed)
		return v, []view.View{whose}, err
	case course.Train.ID:
		v, whose, err = training.Judged(p.Train, seed)
		return v, []view.View{whose}, err
	}
	if p.Task, err = host.Find(id); err != nil {
		return nil, nil, err
	}
	if c.simulator == nil {
		if c.simulator, err = gpu.Open(gpu.Require(shader.Simulated)); err != nil {
			return nil, nil, err
		}
	}
	var shaders []ownshaders.LessonShader
	var sources []string
	for _, id := range p.Task.Shaders {
		own, err := ownshaders.Find(ctx, c.simulator, learner.Dir, id)
		if err != nil {
			return nil, nil, err
		}
		shaders, sources = append(shaders, own), append(sources, own.Source)
	}
	v, record, err := p.Task.Check(sources, seed, p.Run)
	if err != nil {
		return nil, nil, err
	}
	beside = []view.View{ownshaders.Whose(shaders...)}
	if v.Slug != verdict.Stub {
		beside = append(beside, host.RoadOf(record))
	}
	return v, beside, nil
}
