package verdict

import (
	"bytes"
	_ "embed"
	"fmt"
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
	var b bytes.Buffer
	if err := panel.Execute(&b, v); err != nil {
		// The template is fixed and the tests run it with every kind of verdict.
		return template.HTML("<pre>" + template.HTMLEscapeString(fmt.Sprint(v.Text(), err)) + "</pre>")
	}
	return template.HTML(Visible(b.String()))
}

// Mark returns the verdict's mark: a stub is neither right nor wrong.
func (v *Verdict) Mark() mark.Mark {
	switch {
	case v.Passed():
		return mark.Good
	case v.Diagnosis == Stub:
		return mark.Neutral
	}
	return mark.Bad
}
