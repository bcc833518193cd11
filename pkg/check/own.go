package check

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/shaders"
)

// A Shader is the source that a lesson runs for an exercise, and whose it is.
type Shader struct {
	ID       string
	Source   string
	Learners bool   // false: the reference stands in
	Because  string // why it does
}

// Whose is "yours" or "the reference", with the reason.
func (s Shader) Whose() string {
	if s.Learners {
		return "yours"
	}
	return "the reference: " + s.Because
}

// Own gives the learner's shader for an exercise when it is right just now, and
// the reference otherwise: a later lesson builds on what the learner wrote, and
// must still work where that is not finished. It looks for the learner's in the
// folder work beside the notebooks, where a cell runs, and checks it on the device
// that gpu.Default gives.
func Own(id string) (Shader, error) {
	device, err := gpu.Default()
	if err != nil {
		return Shader{}, err
	}
	return OwnIn(context.Background(), device, learner.WorkDir, id)
}

// Whose is a card that says whose each shader is.
func Whose(shaders ...Shader) show.Card {
	card := show.Card{Title: "Whose shaders"}
	for _, s := range shaders {
		card.Rows = append(card.Rows, [2]string{s.ID, s.Whose()})
	}
	return card
}

// OwnIn is Own for a program that runs elsewhere, on a device of its own: work is the
// folder of the learner's shaders.
func OwnIn(ctx context.Context, device *gpu.Device, work, id string) (Shader, error) {
	exercise, err := lesson.Find(id)
	if err != nil {
		return Shader{}, err
	}
	reference, err := shaders.Source(id)
	if err != nil {
		return Shader{}, err
	}
	path := filepath.Join(work, id+".wgsl")
	source, err := learner.ReadShader(path)
	if err != nil {
		return Shader{ID: id, Source: reference, Because: "yours is not written yet"}, nil
	}
	v, err := judge.Run(ctx, engine.On(device).Engines, exercise, path, source, judge.FreshSeed())
	if err != nil {
		return Shader{}, fmt.Errorf("checking your %s: %w", id, err)
	}
	if !v.Passed() {
		return Shader{ID: id, Source: reference, Because: "yours does not pass its check yet"}, nil
	}
	return Shader{ID: id, Source: source, Learners: true}, nil
}
