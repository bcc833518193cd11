package site

import (
	"context"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/engine/sim"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
)

// A sample is a wrong shader and what the check says of it: the first page shows one, so that a visitor sees at a glance
// what there is here. It is checked when the page is made, so that it says what a check says.
type sample struct{ Shader, Verdict template.HTML }

// The shader of the sample gives the right values all the same.
const (
	sampleExercise = "vector-add"
	sampleShader   = "no-guard"
	sampleSeed     = 1
)

// timeTaken is how long the check took. It would make each build another, and offer its visitors an update.
var timeTaken = regexp.MustCompile(` · [0-9]+ ms`)

func makeSample(ctx context.Context, root string) (*sample, error) {
	exercise, err := lesson.Find(sampleExercise)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "internal", "lesson", "testdata", sampleExercise, "wrong", sampleShader+".wgsl"))
	if err != nil {
		return nil, fmt.Errorf("reading the shader of the first page: %w", err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	source := strings.Join(lines[2:], "") // after what the tests read
	engine := sim.New(sim.Options{})
	v, err := judge.Run(ctx, shader.Engines{Values: engine, Watcher: engine}, exercise, learner.ShaderPath(exercise.ID), source, sampleSeed)
	if err != nil {
		return nil, fmt.Errorf("checking the shader of the first page: %w", err)
	}
	if v.Diagnosis != "missing-guard" {
		return nil, fmt.Errorf("the shader of the first page shows %q now, and not a missing guard", v.Diagnosis)
	}
	// What scrolls on a phone has to scroll by keys.
	panel := strings.ReplaceAll(string(v.HTML()), "<pre ", `<pre tabindex="0" `)
	panel = timeTaken.ReplaceAllString(panel, "")
	return &sample{colourWGSL(source), template.HTML(panel)}, nil
}
