// Package answers is the judge behind the pages of the course's site: what they ask,
// and what they are told. It works for a Web Worker of a browser, and opens no
// windows, sockets or processes; the learner's files are those of its folder, as
// everywhere.
//
// Offsets and columns of what an editor asks are UTF-16 code units, as JavaScript
// counts them. Lines and columns of what people read are characters, as everywhere.
package answers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/engine/sim"
	"github.com/wgslab/wgslab/internal/glance"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/course"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/trace"
)

// A Request is what a page asks.
type Request struct {
	Do       string  `json:"do"`
	Exercise string  `json:"exercise"` // of check, warm, trace, compare and step
	Other    string  `json:"other"`    // the second exercise of compare
	Lesson   int     `json:"lesson"`   // of map
	Name     string  `json:"name"`     // of the file that look looks at; check saves to the exercise's own
	Source   string  `json:"source"`   // the shader
	Seed     *uint64 `json:"seed"`     // of check; none draws a fresh one
	Offset   int     `json:"offset"`   // where the cursor is
	Step     Step    `json:"step"`     // of step
}

// A Desk answers one request after the other.
type Desk struct {
	device device
	checks check.Session
	steps  *stepping // nil before somebody stepped
}

// New is a desk that has opened nothing yet.
func New() *Desk { return &Desk{} }

// Quick says whether a request is answered while another one is under way: what an
// editor asks while somebody types.
func (r Request) Quick() bool {
	switch r.Do {
	case "complete", "inspect", "problems", "exercises":
		return true
	}
	return false
}

// Answer answers a request with a value for JSON. What a check displays is also
// displayed as it comes: the verdict is there before shaders are timed.
func (d *Desk) Answer(ctx context.Context, r Request, display func(map[string]string)) (any, error) {
	switch r.Do {
	case "check":
		return d.check(ctx, r, display)
	case "look":
		return look(ctx, r)
	case "step":
		return d.step(ctx, r)
	case "complete":
		return complete(r.Source, r.Offset), nil
	case "inspect":
		return inspect(r.Source, r.Offset), nil
	case "problems":
		return problems(r.Source), nil
	case "exercises":
		return exercises(), nil
	case "engine":
		return d.device.describe(ctx)
	case "warm":
		return d.warm(ctx, r)
	case "map":
		return shown(course.HereViews(r.Lesson)), nil
	case "trace":
		return shown(trace.ExerciseViews(r.Exercise)), nil
	case "compare":
		return shown(trace.CompareViews(r.Exercise, r.Other)), nil
	}
	return nil, fmt.Errorf("nobody here can %q", r.Do)
}

// Displays is what cells show, each by MIME type.
type Displays struct {
	Displays []map[string]string `json:"displays"`
}

func shown(views []show.View) Displays {
	d := Displays{[]map[string]string{}}
	for _, view := range views {
		d.Displays = append(d.Displays, formats(view))
	}
	return d
}

// formats is what a view is to a page: a verdict is JSON as well, since it is told before
// the answer that holds it.
func formats(view show.View) map[string]string {
	all := show.Formats(view)
	if v, ok := view.(*verdict.Verdict); ok {
		encoded, err := json.Marshal(v)
		if err != nil {
			panic(fmt.Sprintf("a verdict that JSON cannot carry: %v", err))
		}
		all["application/json"] = string(encoded)
	}
	return all
}

// A Checked is a verdict in all its forms: for programs, for a terminal, and, in
// Displays, as its cell shows it.
type Checked struct {
	Verdict *verdict.Verdict `json:"verdict"`
	Text    string           `json:"text"`
	HTML    string           `json:"html"`
	Displays
}

// check saves the shader to its file, and checks it as its cell would.
func (d *Desk) check(ctx context.Context, r Request, display func(map[string]string)) (*Checked, error) {
	exercise, err := lesson.Find(r.Exercise)
	if err != nil {
		return nil, err
	}
	if exercise == lesson.Forward {
		return nil, fmt.Errorf("%s is written in Go, which nobody here compiles", exercise.ID)
	}
	if err := save(learner.ShaderPath(exercise.ID), r.Source); err != nil {
		return nil, err
	}
	seed := judge.FreshSeed()
	if r.Seed != nil {
		seed = *r.Seed
	}
	v, views, err := d.judge(ctx, exercise, seed, display)
	if d.device.resting() && (errors.Is(err, shader.ErrLost) || err == nil && unexplained(v)) {
		// It may have been the shader, which the simulator sees, or another that was
		// there before it, or nobody, as when the computer slept.
		v, views, err = d.judge(ctx, exercise, seed, display)
	}
	if err != nil {
		return nil, err
	}
	return &Checked{Verdict: v, Text: v.Text(), HTML: string(v.HTML()), Displays: shown(views)}, nil
}

// unexplained says whether a shader did not finish, and nobody saw a loop that it does
// not leave.
func unexplained(v *verdict.Verdict) bool {
	return v.Diagnosis == verdict.DidNotFinish && v.Line == 0
}

// judge checks the shader in its file. A device that was lost meanwhile rests.
func (d *Desk) judge(ctx context.Context, exercise *lesson.Exercise, seed uint64, display func(map[string]string)) (*verdict.Verdict, []show.View, error) {
	var views []show.View
	d.checks.Open = d.device.open
	d.checks.Display = func(more ...show.View) {
		for _, view := range more {
			views = append(views, view)
			display(formats(view))
		}
	}
	v, err := d.checks.Exercise(ctx, exercise.ID, seed)
	d.device.leaveIfLost()
	return v, views, err
}

func save(path, source string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("making the folder of your shaders: %w", err)
	}
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		return fmt.Errorf("saving your shader: %w", err)
	}
	return nil
}

// A Looked is what is said of a shader before any check.
type Looked struct {
	Text string `json:"text"`
	HTML string `json:"html"`
}

// lookSeed draws the cases of a first look: the same shader is told the same.
const lookSeed = 1

// look looks at a shader as its cell would when it has run, and saves nothing.
func look(ctx context.Context, r Request) (*Looked, error) {
	g, err := glance.Of(ctx, sim.New(sim.Options{}), learner.ExerciseOf(r.Name), r.Name, r.Source, lookSeed)
	if err != nil {
		return nil, err
	}
	return &Looked{Text: g.Text(), HTML: string(g.HTML())}, nil
}

// A Listed is an exercise as pages name it.
type Listed struct {
	ID      string `json:"id"`
	Lesson  int    `json:"lesson"`
	Title   string `json:"title"`
	Task    string `json:"task"`
	Stretch bool   `json:"stretch"`
	InGo    bool   `json:"in_go"` // nobody here can check it
}

func exercises() map[string]any {
	list := []Listed{}
	for _, l := range lesson.Lessons {
		for _, e := range l.Exercises() {
			list = append(list, Listed{e.ID, e.Lesson, e.Title, e.Task, e.Stretch, e == lesson.Forward})
		}
	}
	return map[string]any{"exercises": list}
}

// Read reads a request.
func Read(raw string) (Request, error) {
	var r Request
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		return r, fmt.Errorf("reading what the page asks: %w", err)
	}
	if r.Do == "" {
		return r, errors.New("the page asks for nothing")
	}
	return r, nil
}
