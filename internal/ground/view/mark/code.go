// Package mark holds what all HTML for learners shares: the sign and the colour of right, wrong and
// neutral, code in sentences, and the way to fill a template.
package mark

import (
	"fmt"
	"html/template"
	"strings"
)

// CodeSpans turns text in backquotes into <code> elements.
func CodeSpans(text string) template.HTML {
	parts := strings.Split(text, "`")
	for i, part := range parts {
		parts[i] = template.HTMLEscapeString(part)
		switch {
		case i%2 == 1 && i < len(parts)-1:
			parts[i] = `<code>` + parts[i] + `</code>`
		case i%2 == 1:
			parts[i] = "`" + parts[i] // it has no partner
		}
	}
	return template.HTML(strings.Join(parts, ""))
}

// Fill executes a template. One that doesn't fit its data is a mistake in the program, so Fill
// panics.
func Fill(t *template.Template, data any) template.HTML {
	var out strings.Builder
	if err := t.Execute(&out, data); err != nil {
		panic(fmt.Sprintf("the template %q does not fit its data: %v", t.Name(), err))
	}
	return template.HTML(out.String())
}
