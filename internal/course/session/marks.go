package session

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// costMarks shows which goals of an exercise a right shader reaches, and tells an editor what each
// line costs. They decide nothing.
type costMarks struct {
	cost.Marks
	Heats []cost.Heat
}

// showMarks shows the marks of a right shader, if its exercise has goals. The pass holds even if
// counting fails: the marks are an extra.
func (s *Session) showMarks(ctx context.Context, exercise *course.Exercise, source *shader.Source) {
	if marks, err := s.marksOf(ctx, exercise, source); err == nil && len(marks.Marks) > 0 {
		s.Display(marks)
	}
}

// marksOf returns the marks of a right shader; an unchanged one keeps its marks.
func (s *Session) marksOf(ctx context.Context, exercise *course.Exercise, source *shader.Source) (costMarks, error) {
	key, cache := rightShader{exercise.ID, source.Text}, s.cache()
	if marks, counted := cache.marked[key]; counted {
		return marks, nil
	}
	marks, heats, err := goals.Reached(ctx, exercise, source)
	if err != nil {
		return costMarks{}, err
	}
	cache.marked[key] = costMarks{marks, heats}
	return cache.marked[key], nil
}

// A missedError says why a shader doesn't earn the points for its costs.
type missedError string

func (e missedError) Error() string { return string(e) }

// Goals shows the marks of the learner's shader. It returns an error unless the shader is right and
// reaches every goal of its exercise.
func (s *Session) Goals(ctx context.Context, id string, seed uint64) error {
	err := s.goals(ctx, id, seed)
	if err == nil || errors.As(err, new(missedError)) {
		return err
	}
	s.Display(CouldNotRun(err))
	return err
}

func (s *Session) goals(ctx context.Context, id string, seed uint64) error {
	exercise, source, err := Load(id, s.Read)
	if err != nil {
		return err
	}
	on, err := s.Open(ctx)
	if err != nil {
		return err
	}
	v, err := judge.Run(ctx, on.Engines, exercise, source, seed)
	if err != nil {
		return err
	}
	if !v.Passed() {
		s.Display(view.Note{Mark: view.Bad, Title: id + ": nothing to count yet", Body: "Costs count once the shader is right. Its check says more."})
		return missedError("the shader is not right yet")
	}
	marks, err := s.marksOf(ctx, exercise, source)
	if err != nil {
		return err
	}
	s.Display(marks)
	missed := 0
	for _, m := range marks.Marks {
		if !m.Reached {
			missed++
		}
	}
	if missed > 0 {
		return missedError(fmt.Sprintf("the shader misses %d of %s", missed, english.Count(len(marks.Marks), "goal", "goals")))
	}
	return nil
}

//go:embed marks.html
var marksSource string

var marksTemplate = template.Must(template.New("marks").Funcs(template.FuncMap{"code": verdict.CodeSpans, "json": asJSON}).Parse(marksSource))

// asJSON returns what a page reads from an attribute.
func asJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// HTML renders the marks. The costs of the lines are in an attribute, for the editor that holds the
// shader.
func (m costMarks) HTML() template.HTML {
	return mark.Fill(marksTemplate, m)
}
