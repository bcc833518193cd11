package backend

import (
	"context"
	"fmt"
	"os"
	"path"

	"github.com/wgslab/wgslab/internal/course/host/script"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
)

// programs runs learners' programs.
type programs struct{ checker script.Checker }

// check saves a learner's program, runs it and judges it. display receives the verdict first.
func (c *programs) check(ctx context.Context, id, program string, display func(...view.View)) error {
	run := &script.Program{File: learner.ProgramPath(id), Text: program}
	if err := os.MkdirAll(path.Dir(run.File), 0o755); err != nil {
		return fmt.Errorf("making the folder of your programs: %w", err)
	}
	if err := os.WriteFile(run.File, []byte(program), 0o644); err != nil {
		return fmt.Errorf("saving your program: %w", err)
	}
	judged, err := c.checker.Check(ctx, id, run, judge.FreshSeed())
	if err != nil {
		return err
	}
	judged.Show(display, run.File, program)
	return nil
}
