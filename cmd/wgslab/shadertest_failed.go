package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/stated"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// The rules of failures that are no diagnosis of the judge.
const (
	wrongValue               = stated.WrongValue
	overLimit  findings.Kind = "over-its-limit"
)

// A failedTest says why a test failed.
type failedTest struct {
	shader *shader.Source
	kind   findings.Kind   // the rule, for programs
	why    string          // one sentence
	text   string          // the whole explanation
	places []verdict.Place // in the shader, the most likely first
}

// failedAs returns what a verdict says about a wrong shader.
func failedAs(source *shader.Source, v *verdict.Verdict) *failedTest {
	f := &failedTest{shader: source, kind: findings.Kind(cmp.Or(v.Slug, string(wrongValue))), why: v.Message, places: likelyPlaces(v)}
	if v.Mismatch != nil && v.Mismatch.Sentence() != v.Message && v.Slug != verdict.NeverWritten {
		f.why += " " + v.Mismatch.Sentence()
	}
	if len(f.places) > 0 {
		f.text = fmt.Sprintf("  %s:%d:%d\n", source.Name, f.places[0].Line, f.places[0].Column)
	}
	f.text += v.Facts()
	return f
}

// failedWith returns what a test without an exercise says about a wrong shader.
func failedWith(f *stated.Miss) *failedTest {
	failed := &failedTest{shader: f.Source, kind: f.Kind, why: f.Message}
	if at := f.Region; at.Line > 0 {
		failed.places = []verdict.Place{{Line: at.Line, Column: max(1, at.Column)}}
		failed.text = fmt.Sprintf("  %s:%d:%d\n", cmp.Or(at.File, f.Source.Name), at.Line, at.Column)
	}
	failed.text += "  " + strings.Join(append([]string{f.Message}, f.More...), "\n  ")
	return failed
}

// likelyPlaces lists where the mistake may be, each line once.
func likelyPlaces(v *verdict.Verdict) (places []verdict.Place) {
	told := []verdict.Place{{Line: v.Line, Column: v.Column}}
	if v.Slug == "" { // the facts tell the first reason
		for _, reason := range slices.Backward(v.Reasons) {
			told = slices.Insert(told, 0, verdict.Place{Line: reason.Line, Column: reason.Column})
		}
	}
	for _, at := range append(told, v.Places...) {
		at.Column = max(1, at.Column)
		if at.Line > 0 && !slices.ContainsFunc(places, func(p verdict.Place) bool { return p.Line == at.Line }) {
			places = append(places, at)
		}
	}
	return places
}

// overTheGoals says which counts are over their limits.
func overTheGoals(ctx context.Context, exercise *course.Exercise, source *shader.Source) (*failedTest, error) {
	marks, _, err := goals.Reached(ctx, exercise, source)
	if err != nil {
		return nil, fmt.Errorf("counting the costs: %w", err)
	}
	f := &failedTest{shader: source, kind: overLimit}
	var missed []string
	for _, mark := range marks {
		if mark.Reached {
			continue
		}
		missed = append(missed, mark.Name+mark.Why())
		if mark.Line > 0 {
			f.places = append(f.places, verdict.Place{Line: mark.Line, Column: 1})
		}
	}
	if len(missed) == 0 {
		return nil, nil
	}
	f.why = "over its limit: " + missed[0]
	f.text = "  All values are right. These costs are over their limits:\n  " + strings.Join(missed, "\n  ")
	return f, nil
}

// finding returns the failure as a finding in its shader.
func (f *failedTest) finding(file, test string) *vet.Report {
	found := &findings.Finding{Kind: f.kind, Message: fmt.Sprintf("%s, %s: %s", file, test, f.why)}
	for i, at := range f.places {
		place := findings.Location{Region: f.lineFrom(at)}
		if i == 0 {
			found.Location = place
			continue
		}
		found.Related = append(found.Related, findings.Related{Location: place, Message: "The mistake may also be here."})
	}
	return vet.Tested(f.shader, []*findings.Finding{found})
}

// lineFrom returns the rest of a line.
func (f *failedTest) lineFrom(at verdict.Place) findings.Region {
	line, _ := f.shader.Line(at.Line)
	return findings.Region{Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: max(at.Column, len([]rune(line))+1)}
}

// A testResult is one test as --json prints it.
type testResult struct {
	File         string        `json:"file"`
	Test         string        `json:"test"`    // "" if the file can't be read
	Outcome      string        `json:"outcome"` // "passed", "failed" or "unreadable"
	Milliseconds int64         `json:"milliseconds"`
	Kind         findings.Kind `json:"kind,omitempty"`
	Message      string        `json:"message,omitempty"`
	Shader       string        `json:"shader,omitempty"` // the place in it is the most likely one
	Line         int           `json:"line,omitempty"`
	Column       int           `json:"column,omitempty"`
	Text         string        `json:"text,omitempty"` // the whole explanation
}

// fail makes the result that of a failed test.
func (r *testResult) fail(f *failedTest) {
	r.Outcome, r.Kind, r.Message, r.Text = "failed", f.kind, f.why, f.text
	r.Shader = filepath.ToSlash(f.shader.Name)
	if len(f.places) > 0 {
		r.Line, r.Column = f.places[0].Line, f.places[0].Column
	}
}

// printJSON prints all results.
func (asked *shaderTests) printJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Passed     int          `json:"passed"`
		Failed     int          `json:"failed"`
		Unreadable int          `json:"unreadable"`
		Seed       string       `json:"seed"` // a string: JavaScript's numbers have 53 bits
		Tests      []testResult `json:"tests"`
	}{asked.passed, asked.failed, asked.unreadable, strconv.FormatUint(asked.seed, 10), append([]testResult{}, asked.results...)})
}

// saveReport writes a report to a file; no name means that nobody wants it.
func saveReport(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
