// Package show draws what a notebook cell displays: tables, heat maps, digits,
// bars, dispatch maps, maps of small squares, cards and notes.
//
// Every view is a value that renders itself twice: as HTML for JupyterLab and as
// plain text for a terminal, a screen reader or a diff. The HTML keeps to what
// JupyterLab's sanitiser lets through (no scripts, no style sheets, no SVG; words
// as HTML that inherits the theme's font and colour, pictures as PNG in data
// addresses), so that it looks the same in a light and a dark theme, and in a
// notebook that was saved and opened elsewhere.
package show

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/wgslab/wgslab/internal/mark"
)

// View is something that can be displayed.
type View interface {
	// HTML renders the view for a notebook.
	HTML() template.HTML
	// Text says the same in plain text, lines of a fixed-width font, with no
	// newline at the end.
	Text() string
}

// Formats is what a view is to a notebook: its content by MIME type.
func Formats(view View) map[string]string {
	return map[string]string{
		"text/html":  string(view.HTML()),
		"text/plain": view.Text(),
	}
}

// HTML is a view of ready-made HTML and the text that says the same.
func HTML(html template.HTML, text string) View { return made{html, text} }

type made struct {
	html template.HTML
	text string
}

func (m made) HTML() template.HTML { return m.html }
func (m made) Text() string        { return m.text }

//go:embed show.html
var markup string

var templates = template.Must(template.New("show").Parse(markup))

// render fills one of the templates of show.html.
func render(name string, data any) template.HTML {
	var out strings.Builder
	if err := templates.ExecuteTemplate(&out, name, data); err != nil {
		panic(fmt.Sprintf("show: the template %q does not fit its data: %v", name, err))
	}
	return template.HTML(out.String())
}

// Mark says whether something is right, wrong or neither.
type Mark = mark.Mark

// The marks.
const (
	Neutral = mark.Neutral
	Good    = mark.Good
	Bad     = mark.Bad
)
