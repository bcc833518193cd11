// Package mark tells right from wrong at a glance: a sign and a colour, the same
// wherever a verdict, a note or a picture is drawn.
package mark

import "html/template"

// Mark says whether something is right, wrong or neither.
type Mark int

// The marks.
const (
	Neutral Mark = iota
	Good
	Bad
)

// Of is the mark of something that is right or not.
func Of(right bool) Mark {
	if right {
		return Good
	}
	return Bad
}

// Color is readable as a line or a fill on white and on near-black, and the two
// verdicts differ for colour-blind readers too.
func (m Mark) Color() template.CSS { return [...]template.CSS{"#7a8288", "#00896a", "#d0570a"}[m] }

// Ink is the style of text in the mark's colour. It takes a quarter of the text's
// own colour, so that it is darker on white and lighter on near-black; whoever does
// not know color-mix, or drops it from a notebook that is not trusted, takes Color.
func (m Mark) Ink() template.CSS {
	return "color:" + m.Color() + ";color:color-mix(in srgb," + m.Color() + " 75%,currentColor)"
}

// Sign tells the marks apart without colour.
func (m Mark) Sign() string { return [...]string{"•", "✓", "✗"}[m] }
