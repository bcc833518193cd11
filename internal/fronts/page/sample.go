package page

import (
	"context"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A sample is a wrong shader with the check's verdict. The first page shows one, so that visitors
// see at a glance how the course works. The check runs when the page is built, so the verdict is
// real.
type sample struct{ Shader, Verdict template.HTML }

// The sample's shader computes the right values, and is still wrong.
const (
	sampleExercise = "vector-add"
	sampleShader   = "no-guard"
	sampleSeed     = 1
)

// timeTaken matches the duration of the check. With it, each build would differ, and visitors would
// get a needless update.
var timeTaken = regexp.MustCompile(` · [0-9]+ ms`)

func makeSample(ctx context.Context, root string) (*sample, error) {
	exercise, err := course.Find(sampleExercise)
	if err != nil {
		return nil, err
	}
	text, err := exercises.Files.ReadFile(sampleExercise + "/wrong/" + sampleShader + ".wgsl")
	if err != nil {
		return nil, fmt.Errorf("reading the shader of the first page: %w", err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	source := strings.Join(lines[2:], "") // after the lines for the tests
	engine := simulator.New(simulator.Options{})
	v, err := judge.Run(ctx, shader.Engines{Values: engine, Watcher: engine}, exercise, shader.Read(learner.ShaderPath(exercise.ID), source), sampleSeed)
	if err != nil {
		return nil, fmt.Errorf("checking the shader of the first page: %w", err)
	}
	if v.Slug != "missing-guard" {
		return nil, fmt.Errorf("the shader of the first page now gets the diagnosis %q, not a missing guard", v.Slug)
	}
	// Keys must scroll code that a phone scrolls by touch.
	panel := strings.ReplaceAll(string(v.HTML()), "<pre ", `<pre tabindex="0" `)
	panel = timeTaken.ReplaceAllString(panel, "")
	return &sample{colourWGSL(source), template.HTML(panel)}, nil
}
