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
	"os"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
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
		string(protocol.MIMETextHTML):  string(view.HTML()),
		string(protocol.MIMETextPlain): view.Text(),
	}
}

// Display shows views in the running cell, one below the other, and returns once
// they have reached the notebook. Outside a notebook it prints their text to the
// standard output.
func Display(views ...View) {
	for _, view := range views {
		send(view, "")
	}
	sync()
}

// A Place in the running cell shows one view at a time.
type Place struct{ id string }

// NewPlace makes a place, which is there from its first Show on.
func NewPlace() Place { return Place{gonbui.UniqueId()} }

// Show replaces what the place shows, and returns once that has reached the
// notebook. Outside a notebook it prints the view's text.
func (p Place) Show(view View) {
	send(view, p.id)
	sync()
}

// send hands a view to the notebook, for a place where it has one.
func send(view View, place string) {
	if gonbui.IsNotebook {
		data := make(map[protocol.MIMEType]any)
		for format, content := range Formats(view) {
			data[protocol.MIMEType(format)] = content
		}
		gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: place})
	}
	// A display that cannot reach the notebook is better printed than lost.
	if !gonbui.IsNotebook || gonbui.Error() != nil {
		fmt.Fprintln(os.Stdout, view.Text())
	}
}

// sync waits until the kernel has taken all that was sent, but not forever: a
// kernel that no longer answers, or has ended, must not hold the cell.
func sync() {
	done := make(chan struct{})
	go func() {
		gonbui.Sync()
		close(done)
	}()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for end := time.After(10 * time.Second); ; {
		select {
		case <-done:
			return
		case <-end:
			return
		case <-look.C:
			if KernelGone() {
				return
			}
		}
	}
}

// kernel is the process that started the cell.
var kernel = os.Getppid()

// KernelGone says whether the kernel ended that started the running cell. What
// the cell shows reaches nobody then.
func KernelGone() bool { return os.Getppid() != kernel }

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
