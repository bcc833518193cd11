package backend

import (
	"context"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/digits/forward"
	"github.com/wgslab/wgslab/internal/digits/ownshaders"
	"github.com/wgslab/wgslab/internal/digits/training"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/host/road"
	"github.com/wgslab/wgslab/internal/host/script"
	"github.com/wgslab/wgslab/internal/host/task"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/judge/progress"
	"github.com/wgslab/wgslab/internal/judge/session"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
)

// programs runs learners' programs.
type programs struct {
	simulator *gpu.Device // checks the shaders that a program runs; nil before the first
}

// check runs a learner's program and judges it. display receives the verdict first.
func (c *programs) check(ctx context.Context, id, program string, display func(...view.View)) error {
	run := &script.Program{File: workdir.ProgramPath(id), Text: program}
	switch id {
	case course.Forward.ID:
		shown, _ := forward.Check(run.Forward)
		display(shown...)
		return nil
	case course.Train.ID:
		shown, _ := training.Check(run.Train)
		display(shown...)
		return nil
	}
	return c.calls(ctx, id, run, display)
}

// calls judges a program by its calls of WebGPU.
func (c *programs) calls(ctx context.Context, id string, run *script.Program, display func(...view.View)) (err error) {
	if run.Task, err = task.Find(id); err != nil {
		return err
	}
	if c.simulator == nil {
		if c.simulator, err = gpu.Open(gpu.Require(shader.Simulated)); err != nil {
			return err
		}
	}
	var shaders []ownshaders.LessonShader
	var sources []string
	for _, id := range run.Task.Shaders {
		own, err := ownshaders.Find(ctx, c.simulator, workdir.Dir, id)
		if err != nil {
			return err
		}
		shaders, sources = append(shaders, own), append(sources, own.Source)
	}
	v, record, err := run.Task.Check(sources, judge.FreshSeed(), run.Run)
	if err != nil {
		return err
	}
	display(v, ownshaders.Whose(shaders...))
	if v.Diagnosis != verdict.Stub {
		display(road.Of(record))
	}
	if note := session.Record(progress.TryOf(v, run.Text)); note != nil {
		display(note)
	}
	return nil
}
