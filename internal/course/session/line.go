package session

import (
	"context"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// lineSeed draws the cases for a line from memory: they are few, and the same for everybody.
const lineSeed = 1

// Line judges a line that the learner wrote from memory, in the simulator, and returns what the
// cell shows. Without a line, it asks for it.
func Line(ctx context.Context, exercise, line string) (view.Note, error) {
	return learner.Line(learner.Dir, exercise, line, func(e *course.Exercise, text string) (*verdict.Verdict, error) {
		on, err := engine.Open(ctx, shader.Simulated)
		if err != nil {
			return nil, err
		}
		defer on.Close()
		return judge.Run(ctx, on.Engines, e, shader.Read(learner.ShaderPath(e.ID), text), lineSeed)
	})
}
