package view

import "github.com/wgslab/wgslab/internal/ground/fence"

// Fault returns the note in the place of something that a fault in wgslab keeps from being shown.
// The fault is what package fence says of it.
func Fault(what, fault string) Note {
	return Note{Title: what + " can't be shown", Body: "This is a fault in wgslab, not in your shader: please report it.", Code: fault}
}

// Drawn returns the views that draw returns. If it panics, a note takes their place.
func Drawn(what string, draw func() []View) (views []View) {
	if fault := fence.Around(func() { views = draw() }); fault != "" {
		return []View{Fault(what, fault)}
	}
	return views
}

// The formats of a view.
const (
	html  = "text/html"
	plain = "text/plain"
)

// Formats returns the contents of a view for a notebook, by MIME type. If a view panics in one of
// them, a note takes its place there; the HTML of the note keeps the text, which may be a verdict.
func Formats(view View) map[string]string {
	formats := map[string]string{plain: Text(view)}
	if fault := fence.Around(func() { formats[html] = string(view.HTML()) }); fault != "" {
		formats[html] = string(Fault("A part of this cell", formats[plain]+"\n\n"+fault).HTML())
	}
	return formats
}

// Text returns a view as text; if the view panics, a note.
func Text(view View) (text string) {
	if fault := fence.Around(func() { text = view.Text() }); fault != "" {
		text = Fault("A part of this cell", fault).Text()
	}
	return text
}
