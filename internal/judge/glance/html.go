package glance

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/view/mark"
)

//go:embed glance.html
var panelSource string

var panel = template.Must(template.New("glance").Funcs(template.FuncMap{
	"code": verdict.CodeSpans, "color": mark.Mark.Color, "ink": mark.Mark.Ink,
}).Parse(panelSource))

// HTML formats the glance as a panel for a notebook cell.
func (g *Glance) HTML() template.HTML {
	var b bytes.Buffer
	if err := panel.Execute(&b, g); err != nil {
		panic(fmt.Sprintf("glance: the template does not fit its data: %v", err))
	}
	return template.HTML(verdict.Visible(b.String()))
}
