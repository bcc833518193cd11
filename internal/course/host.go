package course

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
)

// OnHost lists the exercises that learners write in Go, in the order of the course.
var OnHost = append([]*Exercise{Forward, Train}, ofKindHost(exercises.Files)...)

// IsOnHost reports whether the learner writes the exercise in Go.
func (e *Exercise) IsOnHost() bool { return slices.Contains(OnHost, e) }

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

// readHost reads an exercise of kind Host: the learner writes the host's calls in Go.
func readHost(files fs.FS, id string) (*Exercise, error) {
	d, err := readDescription(files, id)
	if err != nil {
		return nil, err
	}
	hints, err := readHints(files, id)
	if err != nil {
		return nil, err
	}
	return &Exercise{ID: id, Kind: Host, Lesson: d.Lesson, position: d.Position, Title: d.Title, Task: d.Task, Practice: d.Practice, Hints: hints}, nil
}

// SkeletonCell returns the cell with which the learner of an exercise of kind Host begins.
func (e *Exercise) SkeletonCell() (string, error) { return e.goCell("skeleton.go") }

// ReferenceCell returns the same cell with a right solution.
func (e *Exercise) ReferenceCell() (string, error) { return e.goCell("reference.go") }

// goCell returns a Go file of the exercise as a cell of GoNB: without its build tag and package.
func (e *Exercise) goCell(name string) (string, error) {
	text, err := fs.ReadFile(exercises.Files, path.Join(e.ID, name))
	if err != nil {
		return "", fmt.Errorf("exercise %s has no %s: %w", e.ID, name, err)
	}
	_, body, ok := strings.Cut(string(text), "\npackage main\n\n")
	if !ok {
		return "", fmt.Errorf("%s of exercise %s has no line `package main`", name, e.ID)
	}
	return "%noautoget\n" + strings.TrimSuffix(body, "\n"), nil
}
