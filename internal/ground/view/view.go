// Package view draws what a notebook cell displays: tables, heat maps, digits, bars, dispatch
// maps, maps of small squares, cards and notes.
//
// Every view is a value that renders itself twice: as HTML for JupyterLab, and as plain text for
// terminals, screen readers and diffs. The HTML uses only what JupyterLab's sanitiser allows. It
// has no scripts, style sheets or SVG. Its words inherit the theme's font and colour, and its
// pictures are PNGs in data URLs. Therefore it looks the same in light and dark themes, and in a
// notebook that was saved and opened elsewhere.
package view

import (
	_ "embed"
	"html/template"

	"github.com/wgslab/wgslab/internal/ground/view/mark"
)

// A View is something that a cell can display.
type View interface {
	// HTML renders the view for a notebook.
	HTML() template.HTML
	// Text renders the same in plain text, as lines of a fixed-width font without a final newline.
	Text() string
}

// A Placed view is shown in a place of its own, where a later one with the same name replaces it.
type Placed struct {
	View
	Place string // unique among all cells of a notebook
}

// PlaceOf returns the name of a view's place; "" if nothing can replace it.
func PlaceOf(v View) string {
	if placed, ok := v.(Placed); ok {
		return placed.Place
	}
	return ""
}

// HTML returns a view of ready-made HTML and the equivalent text.
func HTML(html template.HTML, text string) View { return made{html, text} }

type made struct {
	html template.HTML
	text string
}

func (m made) HTML() template.HTML { return m.html }
func (m made) Text() string        { return m.text }

//go:embed show.html
var markup string

var templates = template.Must(template.New("show").Funcs(template.FuncMap{"code": mark.CodeSpans}).Parse(markup))

// render executes one of the templates of show.html.
func render(name string, data any) template.HTML { return mark.Fill(templates.Lookup(name), data) }

// A Mark says whether something is right, wrong or neither.
type Mark = mark.Mark

// The marks.
const (
	Neutral = mark.Neutral
	Good    = mark.Good
	Bad     = mark.Bad
)
