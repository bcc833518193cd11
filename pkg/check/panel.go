package check

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed panel.html
var panelSource string

var panel = template.Must(template.New("panel").Funcs(template.FuncMap{
	"code": codeSpans,
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
	return template.HTML(b.String())
}

// Colour is that of the panel's edge and headline: readable on light and dark.
func (v *Verdict) Colour() template.CSS {
	switch {
	case v.Passed():
		return "#2a9d4a"
	case v.Diagnosis == "stub":
		return "#8a8f98"
	}
	return "#e0553f"
}

// Mark is the sign before the headline, so that colour is not needed to read it.
func (v *Verdict) Mark() string {
	switch {
	case v.Passed():
		return "✓"
	case v.Diagnosis == "stub":
		return "○"
	}
	return "✗"
}
