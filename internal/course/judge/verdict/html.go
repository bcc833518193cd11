package verdict

import (
	_ "embed"
	"html/template"

	"github.com/wgslab/wgslab/internal/ground/view/mark"
)

//go:embed panel.html
var panelSource string

var panel = template.Must(template.New("panel").Funcs(template.FuncMap{
	"code":  CodeSpans,
	"color": mark.Mark.Color,
	"ink":   mark.Mark.Ink,
	"right": mark.Of,
}).Parse(panelSource))

// CodeSpans is mark.CodeSpans, for those who draw verdicts and import nothing that draws.
func CodeSpans(text string) template.HTML { return mark.CodeSpans(text) }

// HTML formats the verdict as a panel for a notebook cell.
func (v *Verdict) HTML() template.HTML {
	return template.HTML(Visible(string(mark.Fill(panel, v))))
}

// Mark returns the verdict's mark: a stub is neither right nor wrong.
func (v *Verdict) Mark() mark.Mark {
	switch {
	case v.Passed():
		return mark.Good
	case v.Slug == Stub:
		return mark.Neutral
	}
	return mark.Bad
}
