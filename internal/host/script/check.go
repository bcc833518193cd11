package script

import (
	"context"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/digits/forward"
	"github.com/wgslab/wgslab/internal/digits/ownshaders"
	"github.com/wgslab/wgslab/internal/digits/training"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/host/road"
	"github.com/wgslab/wgslab/internal/host/task"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
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
	if p.Task, err = task.Find(id); err != nil {
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
		own, err := ownshaders.Find(ctx, c.simulator, workdir.Dir, id)
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
		beside = append(beside, road.Of(record))
	}
	return v, beside, nil
}
