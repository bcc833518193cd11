// Package trace shows what the learner's shader does with memory: who reads and
// writes which element and how often, how the accesses of neighbours fall
// together, and who waits at which barrier. The simulator runs the shader on a
// small case of its exercise; no GPU is needed.
package trace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/trace"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/show"
)

// Exercise shows, in a notebook cell, what the learner's shader for an exercise
// does with memory. Where there is no shader yet, or none that runs, it says what
// to do; the cell does not fail.
func Exercise(id string) { show.Display(ExerciseViews(id)...) }

// ExerciseViews is what Exercise shows.
func ExerciseViews(id string) []show.View { return exercise(learner.WorkDir, id) }

// Compare shows how often the learner's shaders for two exercises on the same
// buffers fetch each element, side by side.
func Compare(first, second string) { show.Display(CompareViews(first, second)...) }

// CompareViews is what Compare shows.
func CompareViews(first, second string) []show.View {
	return compare(learner.WorkDir, first, second)
}

func exercise(work, id string) []show.View {
	t, note := read(work, id)
	if note != nil {
		return []show.View{note}
	}
	return Views(t)
}

func compare(work, first, second string) []show.View {
	a, note := read(work, first)
	if note != nil {
		return []show.View{note}
	}
	b, note := read(work, second)
	if note != nil {
		return []show.View{note}
	}
	return comparison(a, b)
}

// read traces the learner's shader for an exercise; the note says why it cannot.
func read(work, id string) (*trace.Trace, show.View) {
	e, err := lesson.Find(id)
	if err != nil {
		return nil, show.Note{Mark: show.Bad, Title: "Nothing to show", Body: verdict.Sentence(err.Error())}
	}
	if e.Small == nil {
		return nil, show.Note{Mark: show.Bad, Title: "Nothing to show", Body: id + " is written in Go: only shaders can be traced."}
	}
	path := filepath.Join(work, id+".wgsl")
	source, err := learner.ReadShader(path)
	if err != nil {
		return nil, notYet(id, verdict.Sentence(err.Error()))
	}
	t, err := trace.Of(context.Background(), e, path, source)
	if err != nil {
		return nil, cannot(id, err)
	}
	if !t.Touches() {
		return nil, notYet(id, strings.TrimSpace("Your shader touches no element of a buffer yet. Write it above, run its cell, then this one again. "+t.Caution()))
	}
	return t, nil
}

func notYet(id, body string) show.View {
	return show.Note{Title: id + ": nothing to see yet", Body: body}
}

// cannot says why a shader does not run, in short: its check says more.
func cannot(id string, err error) show.View {
	body := verdict.Sentence(err.Error())
	var mistake *shader.CompileError
	if errors.As(err, &mistake) {
		body = verdict.Sentence(mistake.Message)
		if mistake.Line > 0 {
			body = fmt.Sprintf("Line %d: %s\n    %s", mistake.Line, body, strings.TrimSpace(mistake.Text))
		}
	}
	return show.Note{Mark: show.Bad, Title: id + ": your shader does not run yet", Body: body + "\nIts check cell says more. Mend it, then run this cell again."}
}
