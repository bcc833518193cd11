package check

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/wgslab/wgslab/pkg/show"
)

//go:embed panel.html
var panelSource string

var panel = template.Must(template.New("panel").Funcs(template.FuncMap{
	"code":  codeSpans,
	"color": show.Mark.Color,
	"ink":   show.Mark.Ink,
	"right": func(right bool) show.Mark { return map[bool]show.Mark{true: show.Good, false: show.Bad}[right] },
}).Parse(panelSource))

// codeSpans sets what stands between backquotes as code.
func codeSpans(text string) template.HTML {
	parts := strings.Split(text, "`")
	for i, part := range parts {
		parts[i] = template.HTMLEscapeString(part)
		if i%2 == 1 && i < len(parts)-1 {
			parts[i] = `<code>` + parts[i] + `</code>`
		}
	}
	return template.HTML(strings.Join(parts, ""))
}

// HTML is the verdict as a panel for a notebook cell.
func (v *Verdict) HTML() template.HTML {
	var b bytes.Buffer
	if err := panel.Execute(&b, v); err != nil {
		// The template is fixed and the tests run it with every kind of verdict.
		return template.HTML("<pre>" + template.HTMLEscapeString(fmt.Sprint(v.Text(), err)) + "</pre>")
	}
	return template.HTML(visible(b.String()))
}

// Mark is how the verdict is marked: a stub is neither right nor wrong.
func (v *Verdict) Mark() show.Mark {
	switch {
	case v.Passed():
		return show.Good
	case v.Diagnosis == "stub":
		return show.Neutral
	}
	return show.Bad
}
