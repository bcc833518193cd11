package mark

import (
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
