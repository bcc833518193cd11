package mark

import "html/template"

// Mark is right, wrong or neutral.
type Mark int

// The marks.
const (
	Neutral Mark = iota
	Good
	Bad
)

// Of returns Good if right, otherwise Bad.
func Of(right bool) Mark {
	if right {
		return Good
	}
	return Bad
}

// Color returns the mark's colour for lines and fills. It is legible on white and on
// near-black, and colour-blind readers can tell Good from Bad.
func (m Mark) Color() template.CSS { return [...]template.CSS{"#7a8288", "#00896a", "#d0570a"}[m] }

// Ink returns the CSS for text in the mark's colour. It mixes in a quarter of the text's own
// colour, which makes it darker on white and lighter on near-black. Browsers without
// color-mix, and notebooks that are not trusted, fall back to Color.
func (m Mark) Ink() template.CSS {
	return "color:" + m.Color() + ";color:color-mix(in srgb," + m.Color() + " 75%,currentColor)"
}

// Sign distinguishes the marks without colour.
func (m Mark) Sign() string { return [...]string{"•", "✓", "✗"}[m] }
