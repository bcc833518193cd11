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
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
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
// the shader on device; work is the folder of the learner's shaders.
func Find(ctx context.Context, device *gpu.Device, work, id string) (LessonShader, error) {
	exercise, err := course.Find(id)
	if err != nil {
		return LessonShader{}, err
	}
	reference, err := exercise.Reference()
	if err != nil {
		return LessonShader{}, err
	}
	path := filepath.Join(work, id+".wgsl")
	source, err := workdir.ReadShader(path)
	if errors.Is(err, fs.ErrNotExist) {
		return LessonShader{ID: id, Source: reference.Text, Because: "yours is not written yet"}, nil
	}
	if err != nil {
		return LessonShader{ID: id, Source: reference.Text, Because: fmt.Sprintf("yours could not be read (%v)", err)}, nil
	}
	v, err := judge.Run(ctx, engine.On(device).Engines, exercise, shader.Read(path, source), judge.FreshSeed())
	if err != nil {
		return LessonShader{}, fmt.Errorf("checking your %s: %w", id, err)
	}
	if !v.Passed() {
		return LessonShader{ID: id, Source: reference.Text, Because: "yours does not pass its check yet"}, nil
	}
	if v.Late {
		return LessonShader{ID: id, Source: reference.Text, Because: "yours is right, but this device did not finish it in time"}, nil
	}
	if v.Remark != "" {
		return LessonShader{ID: id, Source: reference.Text, Because: "yours is right, but this device's compiler does not take it"}, nil
	}
	return LessonShader{ID: id, Source: source, Learners: true}, nil
}

// Pipelines compiles the learner's shaders of exercises that are right now, and the reference
// for the others. work is the folder of the learner's shaders.
func Pipelines(ctx context.Context, device *gpu.Device, work string, exercises ...string) (map[string]*gpu.Pipeline, []LessonShader, error) {
	pipelines, shaders := map[string]*gpu.Pipeline{}, []LessonShader{}
	for _, id := range exercises {
		own, err := Find(ctx, device, work, id)
		if err != nil {
			return nil, nil, err
		}
		if pipelines[id], err = device.Compile(id, own.Source); err != nil {
			return nil, nil, err
		}
		shaders = append(shaders, own)
	}
	return pipelines, shaders, nil
}
