// Package ownshaders chooses the shaders that lessons build on: the learner's own where they are
// right now, and the references elsewhere.
package ownshaders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

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
	Instead  string // the learner's second file, if the device does not take the first; else ""
	Because  string // why it is the reference
}

// Whose returns "yours", or "the reference" with the reason.
func (s LessonShader) Whose() string {
	switch {
	case s.Instead != "":
		return "yours, from " + s.Instead
	case s.Learners:
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

// Find returns the learner's shader for an exercise if it is right now and device takes it, and
// otherwise the reference: later lessons build on the learner's shaders and must work without them.
// It checks the shader on device, unless it was right there before; work is the folder of the
// learner's shaders. If the device does not take ID.wgsl, because it has no subgroups for example,
// Find looks for the learner's own stand-in, ID-tree.wgsl.
func Find(ctx context.Context, device *gpu.Device, work, id string) (LessonShader, error) {
	exercise, err := course.Find(id)
	if err != nil {
		return LessonShader{}, err
	}
	because := ""
	for _, name := range []string{id + ".wgsl", id + "-tree.wgsl"} {
		source, missing, err := read(ctx, device, exercise, filepath.Join(work, name))
		switch {
		case err != nil:
			return LessonShader{}, err
		case missing == "" && because != "":
			return LessonShader{ID: id, Source: source, Learners: true, Instead: name}, nil
		case missing == "":
			return LessonShader{ID: id, Source: source, Learners: true}, nil
		}
		if because = cmp.Or(because, missing); because != notTaken {
			break
		}
	}
	reference, err := StandIn(ctx, device, id)
	if err != nil {
		return LessonShader{}, err
	}
	return LessonShader{ID: id, Source: reference.Text, Because: because}, nil
}

// notTaken says why a right shader can't run.
const notTaken = "yours is right, but this device's compiler does not take it"

// read reads a learner's shader and checks it. missing is why a lesson can't run it, or "".
func read(ctx context.Context, device *gpu.Device, exercise *course.Exercise, path string) (source, missing string, err error) {
	source, err = learner.ReadShader(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "yours is not written yet", nil
	case err != nil:
		return "", fmt.Sprintf("yours could not be read (%v)", err), nil
	}
	work, known := filepath.Dir(path), digest(device, exercise, source)
	if wasRight(work, known) {
		return source, "", nil
	}
	own := shader.Read(path, source)
	v, err := judge.Run(ctx, engine.On(device).Engines, exercise, own, judge.FreshSeed())
	switch {
	case err != nil:
		return "", "", fmt.Errorf("checking your %s: %w", exercise.ID, err)
	case !v.Passed():
		return "", "yours does not pass its check yet", nil
	case v.Late:
		return "", "yours is right, but this device did not finish it in time", nil
	case v.Remark == "":
		keepRight(work, known)
		return source, "", nil
	}
	// The simulator judged it: the device may take it even so, as it does one with subgroups.
	if taken, err := takes(ctx, device, own); !taken {
		return "", notTaken, err
	}
	keepRight(work, known)
	return source, "", nil
}

// takes reports whether the device compiles a shader. Its error is that of an ended context.
func takes(ctx context.Context, device *gpu.Device, source *shader.Source) (bool, error) {
	program, err := gpu.Backend(device).Compile(ctx, source)
	if err != nil {
		return false, ctx.Err()
	}
	program.Free()
	return true, nil
}

// StandIn returns the reference of an exercise. If the device doesn't take it, because it has no
// subgroups for example, StandIn returns the first right shader that it takes. One whose workgroups
// have a single invocation comes last: it leaves the device idle.
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
	right = slices.Clone(right)
	slices.SortStableFunc(right, func(a, b *shader.Source) int { return alone(a) - alone(b) })
	for _, source := range append([]*shader.Source{reference}, right...) {
		if taken, err := takes(ctx, device, source); taken || err != nil {
			return source, err
		}
	}
	return reference, nil // its pipeline says why
}

// alone is 1 for a shader whose invocations share nothing, and 0 for others.
func alone(source *shader.Source) int {
	if strings.Contains(source.Text, "workgroupBarrier(") {
		return 0
	}
	return 1
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
