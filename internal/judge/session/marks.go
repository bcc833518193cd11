package session

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"

	"github.com/wgslab/wgslab/internal/cost"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
)

// costMarks shows which goals of an exercise a right shader reaches. They decide nothing.
type costMarks struct{ cost.Marks }

// showMarks shows the marks of a right shader, if its exercise has goals. The pass holds even if
// counting fails; an unchanged shader keeps its marks.
func (s *Session) showMarks(ctx context.Context, exercise *course.Exercise, source *shader.Source) {
	key := comparedWith{exercise.ID, source.Text}
	marks, counted := s.marked[key]
	if !counted {
		var err error
		if marks, err = cost.Goals(ctx, exercise, source); err != nil {
			return // the marks are an extra: a shader that can't be counted has none
		}
		if s.marked == nil {
			s.marked = make(map[comparedWith]cost.Marks)
		}
		s.marked[key] = marks
	}
	if len(marks) > 0 {
		s.Display(costMarks{marks})
	}
}

//go:embed marks.html
var marksSource string

var marksTemplate = template.Must(template.New("marks").Funcs(template.FuncMap{"code": verdict.CodeSpans}).Parse(marksSource))

// HTML renders the marks.
func (m costMarks) HTML() template.HTML {
	var b bytes.Buffer
	if err := marksTemplate.Execute(&b, m.Marks); err != nil {
		panic(fmt.Sprintf("session: the template of the marks does not fit its data: %v", err))
	}
	return template.HTML(b.String())
}
