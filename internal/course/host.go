package course

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
)

// OnHost lists the exercises in which learners write the host's side, in the order of the course:
// in Go, and in the page in JavaScript.
var OnHost = ofKindHost(exercises.Files)

// The exercises in which learners put given kernels and buffers together. In the others they make
// each call of WebGPU.
var (
	Forward = onHost("forward")
	Train   = onHost("train")
	Digits  = onHost("host-digits") // digits.Host runs its function as well
)

func onHost(id string) *Exercise {
	i := slices.IndexFunc(OnHost, func(e *Exercise) bool { return e.ID == id })
	if i < 0 {
		panic("the course has no exercise " + id)
	}
	return OnHost[i]
}

// IsOnHost reports whether the learner writes the host's side.
func (e *Exercise) IsOnHost() bool { return e.Kind == Host }

// ofKindHost reads the exercises of kind Host. They are built in, so a mistake in one is ours: it
// panics.
func ofKindHost(files fs.FS) []*Exercise {
	descriptions, err := fs.Glob(files, "*/exercise.toml")
	if err != nil {
		panic(err) // the pattern is valid
	}
	var found []*Exercise
	for _, name := range descriptions {
		id := path.Dir(name)
		if KindOf(files, id) != Host {
			continue
		}
		e, err := readHost(files, id)
		if err != nil {
			panic(fmt.Errorf("reading exercise %s: %w", id, err))
		}
		found = append(found, e)
	}
	slices.SortStableFunc(found, inCourseOrder)
	return found
}

// readHost reads an exercise of kind Host.
func readHost(files fs.FS, id string) (*Exercise, error) {
	d, err := readDescription(files, id)
	if err != nil {
		return nil, err
	}
	hints, err := readHints(files, id)
	if err != nil {
		return nil, err
	}
	d.Host.caseName, d.Host.cases = d.CaseName, d.Cases
	var results []HostResult
	for _, r := range d.Host.Results {
		results = append(results, r.forEach()...)
	}
	d.Host.Results = results
	return &Exercise{ID: id, Kind: Host, Lesson: d.Lesson, position: d.Position, Notebook: d.Notebook, Title: d.Title, Task: d.Task, Points: d.Points, Practice: d.Practice, Hints: hints, Host: &d.Host}, nil
}

// SkeletonCell returns the cell with which the learner of an exercise of kind Host begins.
func (e *Exercise) SkeletonCell() (string, error) { return e.goCell("skeleton.go") }

// ReferenceCell returns the same cell with a right solution.
func (e *Exercise) ReferenceCell() (string, error) { return e.goCell("reference.go") }

// ReferenceFile returns the right solution as a file of Go.
func (e *Exercise) ReferenceFile() (string, error) { return e.file("reference.go") }

// ScriptSkeleton returns the program with which the learner of an exercise of kind Host begins in
// the page.
func (e *Exercise) ScriptSkeleton() (string, error) { return e.file("skeleton.js") }

// ScriptReference returns the right solution in JavaScript. A page has only those of pieces.
func (e *Exercise) ScriptReference() (string, error) { return e.file("reference.js") }

func (e *Exercise) file(name string) (string, error) {
	text, err := fs.ReadFile(exercises.Files, path.Join(e.ID, name))
	if err != nil {
		return "", fmt.Errorf("exercise %s has no %s: %w", e.ID, name, err)
	}
	return string(text), nil
}

// goCell returns a Go file of the exercise as a cell of GoNB: without its build tag and package.
func (e *Exercise) goCell(name string) (string, error) {
	text, err := e.file(name)
	if err != nil {
		return "", err
	}
	_, body, ok := strings.Cut(text, "\npackage main\n\n")
	if !ok {
		return "", fmt.Errorf("%s of exercise %s has no line `package main`", name, e.ID)
	}
	return "%noautoget\n" + strings.TrimSuffix(body, "\n"), nil
}
