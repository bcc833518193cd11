package tutor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// exerciseOnly are the arguments of a tool about a whole exercise.
type exerciseOnly struct {
	Exercise string `json:"exercise" jsonschema:"the exercise's id, such as vector-add"`
}

// taskAnswer is what the tutor may know about an exercise: all that the learner can read, and the
// titles of the known mistakes. The solutions aren't among it.
type taskAnswer struct {
	Exercise string        `json:"exercise"`
	Lesson   int           `json:"lesson"`
	Title    string        `json:"title"`
	Task     string        `json:"task"`
	Kind     string        `json:"kind"`
	Bindings []taskBinding `json:"bindings,omitempty"`
	Dispatch string        `json:"dispatch,omitempty"`
	Cases    []string      `json:"cases,omitempty"`
	Skeleton program       `json:"skeleton"`
	Hints    []taskHint    `json:"hints"`
	Mistakes []taskMistake `json:"mistakes,omitempty"`
	Text     string        `json:"lesson_text,omitempty"`
	Program  program       `json:"program"`
}

type taskBinding struct {
	Binding int    `json:"binding"`
	Name    string `json:"name"`
	Access  string `json:"access"`
	Type    string `json:"type"`
}

type taskHint struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
	Opened bool   `json:"opened"` // by the learner, in the lesson
}

type taskMistake struct {
	Slug  string `json:"diagnosis"`
	Title string `json:"title"`
}

// kinds names what the learner of an exercise does.
var kinds = map[course.TaskKind]string{
	course.Write: "write a shader", course.Order: "put the lines of a shader in order", course.FindBug: "find the bug and repair it",
	course.BreakIt: "write the case in which a wrong shader goes wrong", course.Host: "write the host's calls of WebGPU",
}

func (s *Server) addTask() {
	add(s, tool[exerciseOnly]{
		name: "task", title: "What an exercise asks for",
		description: "Returns an exercise's text, bindings, skeleton, hints in order and which the learner has opened, known mistakes, the lesson's text before it, and the learner's program as it is now.",
		example:     exerciseOnly{"vector-add"},
		do: func(_ context.Context, in exerciseOnly) (any, error) {
			e, err := course.Find(in.Exercise)
			if err != nil {
				return nil, err
			}
			return s.task(e)
		},
	})
}

func (s *Server) task(e *course.Exercise) (*taskAnswer, error) {
	a := &taskAnswer{Exercise: e.ID, Lesson: e.Lesson, Title: e.Title, Task: e.Task, Kind: kinds[e.Kind], Hints: []taskHint{}}
	said, err := s.folder.conversation()
	if err != nil {
		return nil, err
	}
	opened := learner.OpenedHints(said, e.ID)
	for i, h := range e.Hints {
		a.Hints = append(a.Hints, taskHint{i + 1, h, slices.Contains(opened, i+1)})
	}
	if err := a.describe(e); err != nil {
		return nil, err
	}
	if a.Program, err = s.folder.program(e); err != nil {
		return nil, err
	}
	a.Text, err = s.folder.lessonText(e)
	return a, err
}

// describe adds what only a shader has, or only a host program.
func (a *taskAnswer) describe(e *course.Exercise) (err error) {
	if e.IsOnHost() {
		a.Skeleton.Language = "go"
		a.Skeleton.Text, err = e.SkeletonCell()
		return err
	}
	for i, b := range e.Bindings {
		a.Bindings = append(a.Bindings, taskBinding{i, b.Name, string(b.Access), b.Type})
	}
	a.Dispatch = e.Dispatch.String()
	for _, c := range e.Draw(usualSeed) {
		a.Cases = append(a.Cases, c.Name)
	}
	a.Skeleton.Language = "wgsl"
	if a.Skeleton.Text, err = e.Skeleton(); err != nil {
		return err
	}
	known, err := e.Misconceptions()
	for _, m := range known {
		a.Mistakes = append(a.Mistakes, taskMistake{m.Slug, m.Title})
	}
	return err
}

// lessonText returns the lesson's text that leads to an exercise: its own cell, and the ones before
// it that belong to no other exercise. Without a notebook it is "".
func (f *folder) lessonText(e *course.Exercise) (string, error) {
	nb, err := f.notebook(e)
	if nb == nil || err != nil {
		return "", err
	}
	var texts []string
	for _, c := range nb.Cells {
		switch {
		case c.ID == e.ID+"-task":
			return strings.Join(append(texts, c.Source), "\n\n"), nil
		case isOfAnExercise(c.ID):
			texts = nil
		case c.Type == nbformat.Markdown:
			texts = append(texts, c.Source)
		}
	}
	return "", nil
}

// isOfAnExercise reports whether a cell belongs to an exercise, by its id.
func isOfAnExercise(cell string) bool {
	for _, end := range []string{"-task", "-shader", "-host", "-check", "-hints"} {
		if strings.HasSuffix(cell, end) {
			return true
		}
	}
	return false
}

// notebook reads the notebook of an exercise; nil if it isn't there.
func (f *folder) notebook(e *course.Exercise) (*nbformat.Notebook, error) {
	for _, l := range course.AllLessons() {
		if !l.Holds(e.Lesson, e.Notebook) || l.Notebook == "" {
			continue
		}
		text, err := f.courseText(l.Notebook)
		if err != nil || text == nil {
			return nil, err
		}
		return nbformat.Decode(text)
	}
	return nil, nil
}

// mostText limits a text of the course.
const mostText = 8 << 20

// courseText reads one of the course's texts: in the learner's folder, or else where the course is.
// It is nil if it isn't there.
func (f *folder) courseText(name string) ([]byte, error) {
	for i, dir := range f.texts {
		var text []byte
		var err error
		if i == 0 {
			text, err = f.root.ReadFile(filepath.FromSlash(name))
		} else {
			text, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		}
		switch {
		case err == nil && len(text) <= mostText:
			return text, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist) && i > 0:
			return nil, err
		}
	}
	return nil, nil
}
