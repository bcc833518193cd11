package check

import (
	"context"
	"errors"
	"os"

	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/shaders"
)

// Exercise checks the learner's shader from a notebook cell: it draws the
// verdict, keeps the try, sets a right shader beside the reference, and ends the
// cell with an error when the shader is not right.
func Exercise(id string) {
	var on *engine.Opened
	s := Session{Display: show.Display, Open: func(ctx context.Context) (_ *engine.Opened, err error) {
		on, err = engine.Open(ctx, engine.Auto, gpu.KeepPrograms(2)) // yours and the reference
		return on, err
	}}
	v, err := s.Exercise(context.Background(), id, judge.FreshSeed())
	if on != nil {
		on.Close()
	}
	if err != nil || !v.Passed() {
		os.Exit(1)
	}
}

// A Session checks shaders one after the other, as their cells would. The kernel has
// one that it keeps; a cell that runs by itself has its own.
type Session struct {
	Open    func(context.Context) (*engine.Opened, error) // gives what checks run on; the caller closes it
	Display func(...show.View)                            // shows what the cell shows

	// What is not worked out again for the next check of the same:
	large    largeCase
	compared map[comparedWith]*comparison
}

// largeCase is what shaders for an exercise are timed on: which values it holds makes
// no difference to that, and they take longer to draw than a shader takes to run.
type largeCase struct {
	exercise string
	lesson.Case
	there bool
}

type comparedWith struct{ exercise, source string }

// Prepare has the driver compile a shader that will be checked soon, and the reference
// that will stand beside it. It says nothing of the shader, which is the check's to do,
// but whether the device was lost over it.
func (s *Session) Prepare(ctx context.Context, exercise *lesson.Exercise, source string) error {
	on, err := s.Open(ctx)
	if err != nil || on.Device == nil {
		return nil // as the check will say
	}
	reference, err := shaders.Source(exercise.ID)
	if err != nil {
		return nil
	}
	for _, text := range []string{source, reference} {
		if err := prepare(on.Device, exercise, text); errors.Is(err, gpu.ErrLost) || errors.As(err, new(*gpu.DeadlineError)) {
			return err
		}
	}
	return nil
}

func prepare(device *gpu.Device, exercise *lesson.Exercise, source string) error {
	kernel, err := device.Compile(learner.ShaderPath(exercise.ID), source)
	if err != nil {
		return err
	}
	defer kernel.Free()
	buffers, free, err := upload(device, exercise.Draw(0)[0])
	defer free()
	if err != nil {
		return err
	}
	return kernel.Prepare(buffers...)
}

// Exercise checks the learner's shader for an exercise with the cases that seed draws,
// and gives the verdict. Where there is none, it has displayed why.
func (s *Session) Exercise(ctx context.Context, id string, seed uint64) (*verdict.Verdict, error) {
	v, err := s.check(ctx, id, seed)
	if err != nil {
		s.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: verdict.Sentence(err.Error())})
		return nil, err
	}
	return v, nil
}

func (s *Session) check(ctx context.Context, id string, seed uint64) (*verdict.Verdict, error) {
	exercise, err := lesson.Find(id)
	if err != nil {
		return nil, err
	}
	source, err := learner.ReadShader(learner.ShaderPath(id))
	if err != nil {
		return nil, err
	}
	on, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := judge.Run(ctx, on.Engines, exercise, learner.ShaderPath(id), source, seed)
	if err != nil {
		return nil, err
	}
	s.Display(v)
	keep(learner.TryOf(v, source), s.Display)
	if v.Passed() {
		s.showComparison(on.Device, exercise, source, v.Seed)
	}
	return v, nil
}

// keep puts a try into the journal. The verdict stands, whether that works or not.
func keep(try learner.Try, display func(...show.View)) {
	if err := learner.Record(learner.WorkDir, try); err != nil {
		display(show.Note{Title: "This try could not be kept", Body: verdict.Sentence(err.Error())})
	}
}

// showComparison is a reward: where it does not work, the pass stands. Without a
// device nothing is timed. A shader that is as it was has its times already.
func (s *Session) showComparison(device *gpu.Device, exercise *lesson.Exercise, source string, seed uint64) {
	key := comparedWith{exercise.ID, source}
	if s.compared[key] == nil {
		if s.large.exercise != exercise.ID {
			s.large.Case, s.large.there = exercise.DrawLarge(seed)
			s.large.exercise = exercise.ID
		}
		c, err := compare(device, exercise, source, s.large)
		if err != nil {
			s.Display(show.Note{Title: "Your shader is right, but could not be set beside the reference", Body: verdict.Sentence(err.Error())})
			return
		}
		if s.compared == nil {
			s.compared = make(map[comparedWith]*comparison)
		}
		s.compared[key] = c
	}
	s.Display(s.compared[key])
}
