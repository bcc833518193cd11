package authoring

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Mutants changes the reference shader of an exercise in one place, in every way that a slip of the
// finger would, and returns the changes that pass all the same. Either a case is missing that the
// change would fail, or the changed shader computes the same. It calls ran after each one.
func (p Collection) Mutants(ctx context.Context, on shader.Engines, id string, ran func()) ([]Problem, error) {
	if kind := p.kindOf(id); kind == course.Predict || kind == course.BreakIt {
		return nil, nil // it has no reference shader
	}
	exercise, closeFiles, err := p.read(id)
	defer closeFiles()
	if err != nil {
		return nil, fmt.Errorf("reading the exercise %s: %w", id, err)
	}
	path := p.path(referenceOf, id)
	text, err := os.ReadFile(p.file(referenceOf, id))
	if err != nil {
		return nil, fmt.Errorf("reading the reference: %w", err)
	}
	var passing []Problem
	source := syntax.NewSource(path, string(text))
	for _, m := range mutantsOf(string(text)) {
		line, change := source.Position(m.Changes[0].Span.Start).Line, changeOf(m)
		v, err := judge.Run(ctx, on, exercise, shader.Read(path, m.Text), testSeed)
		if err != nil {
			return nil, fmt.Errorf("checking %s, line %d: %s: %w", path, line, change, err)
		}
		if v.Passed() {
			passing = append(passing, Problem{File: path, Line: line, Text: "passes every case with " + change})
		}
		ran()
	}
	return passing, nil
}

// CountMutants returns how many shaders Mutants runs for an exercise.
func (p Collection) CountMutants(id string) int {
	text, err := os.ReadFile(p.file(referenceOf, id))
	if err != nil {
		return 0 // Mutants reports it
	}
	return len(mutantsOf(string(text)))
}

// mutantsOf returns the edits of a shader that a slip of the finger makes, in the order of their
// places. There are none if the text has errors: the check of the reference reports those.
func mutantsOf(text string) []edit.Mutation {
	read := shader.Read("", text).Shader()
	if !read.Valid() {
		return nil
	}
	slips := slices.DeleteFunc(edit.All(read), func(e edit.Mutation) bool { return e.Cost > edit.Slip })
	slices.SortStableFunc(slips, func(a, b edit.Mutation) int { return cmp.Compare(a.Changes[0].Span.Start, b.Changes[0].Span.Start) })
	return slips
}

// changeOf says what an edit changes.
func changeOf(e edit.Mutation) string {
	if e.To == "" {
		return "no " + e.Was
	}
	return e.To + " instead of " + e.Was
}
