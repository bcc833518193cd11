// Package ownshaders chooses the shaders that lessons build on: the learner's own where they are
// right now, and the references elsewhere.
package ownshaders

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A LessonShader is the source that a lesson runs for an exercise: the learner's or the reference.
type LessonShader struct {
	ID       string
	Source   string
	Learners bool   // false for the reference
	Because  string // why it is the reference
}

// Whose returns "yours", or "the reference" with the reason.
func (s LessonShader) Whose() string {
	if s.Learners {
		return "yours"
	}
	return "the reference: " + s.Because
}

// Whose returns a card that says whose each shader is.
func Whose(shaders ...LessonShader) view.Card {
	card := view.Card{Title: "Whose shaders"}
	for _, s := range shaders {
		card.Rows = append(card.Rows, [2]string{s.ID, s.Whose()})
	}
	return card
}

// Find returns the learner's shader for an exercise if it is right now, and otherwise the
// reference: later lessons build on the learner's shaders and must work without them. It checks
// the shader on device, unless it was right there before; work is the folder of the learner's
// shaders.
func Find(ctx context.Context, device *gpu.Device, work, id string) (LessonShader, error) {
	exercise, err := course.Find(id)
	if err != nil {
		return LessonShader{}, err
	}
	path := filepath.Join(work, id+".wgsl")
	source, err := learner.ReadShader(path)
	because, err := missing(ctx, device, exercise, path, source, err)
	if err != nil {
		return LessonShader{}, err
	}
	if because == "" {
		return LessonShader{ID: id, Source: source, Learners: true}, nil
	}
	reference, err := StandIn(ctx, device, id)
	if err != nil {
		return LessonShader{}, err
	}
	return LessonShader{ID: id, Source: reference.Text, Because: because}, nil
}

// missing returns why a lesson can't run the learner's shader, or nothing. unread is the error of
// reading it.
func missing(ctx context.Context, device *gpu.Device, exercise *course.Exercise, path, source string, unread error) (string, error) {
	switch {
	case errors.Is(unread, fs.ErrNotExist):
		return "yours is not written yet", nil
	case unread != nil:
		return fmt.Sprintf("yours could not be read (%v)", unread), nil
	}
	work, known := filepath.Dir(path), digest(device, exercise, source)
	if wasRight(work, known) {
		return "", nil
	}
	v, err := judge.Run(ctx, engine.On(device).Engines, exercise, shader.Read(path, source), judge.FreshSeed())
	switch {
	case err != nil:
		return "", fmt.Errorf("checking your %s: %w", exercise.ID, err)
	case !v.Passed():
		return "yours does not pass its check yet", nil
	case v.Late:
		return "yours is right, but this device did not finish it in time", nil
	case v.Remark != "":
		return "yours is right, but this device's compiler does not take it", nil
	}
	keepRight(work, known)
	return "", nil
}

// StandIn returns the reference of an exercise. If the device doesn't take it, because it has no
// subgroups for example, StandIn returns the first right shader that it takes.
func StandIn(ctx context.Context, device *gpu.Device, id string) (*shader.Source, error) {
	exercise, err := course.Find(id)
	if err != nil {
		return nil, err
	}
	reference, err := exercise.Reference()
	if err != nil {
		return nil, err
	}
	right, err := exercise.Right()
	if err != nil {
		return nil, err
	}
	for _, source := range append([]*shader.Source{reference}, right...) {
		program, err := gpu.Backend(device).Compile(ctx, source)
		if err == nil {
			program.Free()
			return source, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return reference, nil // its pipeline says why
}

// Sources returns the learner's shaders of exercises that are right now, and the reference for
// the others: by the exercise's id, and in order. work is the folder of the learner's shaders.
func Sources(ctx context.Context, device *gpu.Device, work string, exercises ...string) (map[string]string, []LessonShader, error) {
	sources, shaders := map[string]string{}, []LessonShader{}
	for _, id := range exercises {
		own, err := Find(ctx, device, work, id)
		if err != nil {
			return nil, nil, err
		}
		sources[id], shaders = own.Source, append(shaders, own)
	}
	return sources, shaders, nil
}

// Pipelines compiles the learner's shaders of exercises that are right now, and the reference
// for the others. work is the folder of the learner's shaders.
func Pipelines(ctx context.Context, device *gpu.Device, work string, exercises ...string) (map[string]*gpu.Pipeline, []LessonShader, error) {
	sources, shaders, err := Sources(ctx, device, work, exercises...)
	if err != nil {
		return nil, nil, err
	}
	pipelines := map[string]*gpu.Pipeline{}
	for id, source := range sources {
		if pipelines[id], err = device.Compile(id, source); err != nil {
			return nil, nil, err
		}
	}
	return pipelines, shaders, nil
}
