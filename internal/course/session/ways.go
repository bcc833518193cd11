package session

import (
	_ "embed"
	"html/template"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/view/mark"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Ways shows some of an exercise's right shaders, folded, to those who have passed.
type Ways []course.Alternative

// mostWays is how many of them are shown.
const mostWays = 3

// OtherWays returns the ways of an exercise, without those with the learner's own code.
func OtherWays(e *course.Exercise, own *shader.Source) (Ways, error) {
	ways, err := e.Alternatives()
	if err != nil {
		return nil, err
	}
	ways = slices.DeleteFunc(slices.Clone(ways), func(w course.Alternative) bool { return sameCode(w.Text, own.Text) })
	return Ways(ways[:min(len(ways), mostWays)]), nil
}

func sameCode(a, b string) bool {
	return slices.EqualFunc(course.CodeLines(a), course.CodeLines(b), func(a, b course.CodeLine) bool { return a.Text == b.Text })
}

//go:embed ways.html
var waysSource string

var waysTemplate = template.Must(template.New("ways").Funcs(template.FuncMap{"code": verdict.CodeSpans}).Parse(waysSource))

// HTML renders the ways, folded.
func (w Ways) HTML() template.HTML {
	return mark.Fill(waysTemplate, w)
}

// Text renders what the ways do differently for a terminal.
func (w Ways) Text() string {
	lines := []string{"  Other right ways:"}
	for _, way := range w {
		lines = append(lines, "  - "+way.Says)
	}
	return strings.Join(lines, "\n")
}
