package session

import (
	_ "embed"
	"html/template"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
)

//go:embed glance.html
var panelSource string

var panel = template.Must(template.New("glance").Funcs(template.FuncMap{
	"code": verdict.CodeSpans, "color": mark.Mark.Color, "ink": mark.Mark.Ink,
}).Parse(panelSource))

// HTML formats the glance as a panel for a notebook cell.
func (g *Glance) HTML() template.HTML {
	return template.HTML(verdict.Visible(string(mark.Fill(panel, g))))
}
