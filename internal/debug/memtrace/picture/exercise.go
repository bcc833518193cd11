package picture

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/debug/memtrace"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
)

// Exercise draws how the learner's shader for an exercise uses memory. If there is no shader yet,
// or it does not run, Exercise says what to do.
func Exercise(id string, as shader.Reading) []view.View { return exercise(workdir.Dir, id, as) }

// Compare draws how often each element is read by the learner's shaders for two exercises on the
// same buffers, side by side.
func Compare(first, second string, as shader.Reading) []view.View {
	return compare(workdir.Dir, first, second, as)
}

func exercise(work, id string, as shader.Reading) []view.View {
	t, note := read(work, id, as)
	if note != nil {
		return []view.View{note}
	}
	return Of(t)
}

func compare(work, first, second string, as shader.Reading) []view.View {
	a, note := read(work, first, as)
	if note != nil {
		return []view.View{note}
	}
	b, note := read(work, second, as)
	if note != nil {
		return []view.View{note}
	}
	return comparison(a, b)
}

// read traces the learner's shader for an exercise. If it cannot, the note says why.
func read(work, id string, as shader.Reading) (*memtrace.Trace, view.View) {
	e, err := course.Find(id)
	if err != nil {
		return nil, view.Note{Mark: view.Bad, Title: "Nothing to show", Body: verdict.Sentence(err.Error())}
	}
	if e.Small == nil {
		return nil, view.Note{Mark: view.Bad, Title: "Nothing to show", Body: id + " is written in Go: only shaders can be traced."}
	}
	path := filepath.Join(work, id+".wgsl")
	source, err := workdir.ReadShader(path)
	if err != nil {
		return nil, notYet(id, verdict.Sentence(err.Error()))
	}
	t, err := memtrace.Of(context.Background(), e, as(path, source))
	if err != nil {
		return nil, cannot(id, err)
	}
	if !t.Touches() {
		return nil, notYet(id, strings.TrimSpace("Your shader does not read or write a buffer yet. Write it above, run its cell, then run this one again. "+t.Caution()))
	}
	return t, nil
}

func notYet(id, body string) view.View {
	return view.Note{Title: id + ": nothing to see yet", Body: body}
}

// cannot says briefly why a shader does not run; its check says more.
func cannot(id string, err error) view.View {
	body := verdict.Sentence(err.Error())
	var mistake *shader.CompileError
	if errors.As(err, &mistake) {
		body = verdict.Sentence(mistake.Message)
		if mistake.Line > 0 {
			body = fmt.Sprintf("Line %d: %s\n    %s", mistake.Line, body, strings.TrimSpace(mistake.Text))
		}
	}
	return view.Note{Mark: view.Bad, Title: id + ": your shader does not run yet", Body: body + "\nIts check cell says more. Fix it, then run this cell again."}
}
