package verdict

import (
	"fmt"
	"math"
	"strings"
)

// Element returns the name of the first wrong element, such as out[63], or of the component of a
// vector, such as out[63].y.
func (m *Mismatch) Element() string { return m.Output + label(m.Index, m.Component) }

// Label returns the name of an element without the name of the output, such as [63] or [63].y.
func (e OutputElement) Label() string { return label(e.Index, e.Component) }

func label(index int, component string) string {
	if component == "" {
		return fmt.Sprintf("[%d]", index)
	}
	return fmt.Sprintf("[%d].%s", index, component)
}

// first returns the first component of a vector; "" if there are no vectors.
func (m *Mismatch) first() string {
	if m.Component == "" {
		return ""
	}
	return "x"
}

// Sentence says what is wrong, and in which case.
func (m *Mismatch) Sentence() string {
	about := m.About()
	if m.Of == 1 {
		about = "Case " + m.Case
	}
	return strings.ReplaceAll(fmt.Sprintf("%s (%s)", m.Short(), about), "`", "")
}

// Short says what is wrong.
func (m *Mismatch) Short() string {
	switch {
	case m.Unwritten:
		return fmt.Sprintf("`%s` was never written.", m.Element())
	case m.Kept:
		return fmt.Sprintf("`%s` should be %s, but was written with its old value, %s.", m.Element(), inBytes(m.Want, m.Packed), inBytes(m.Got, m.Packed))
	}
	return fmt.Sprintf("`%s` should be %s, but is %s.", m.Element(), apart(m.Want, m.Got, m.Want, m.Packed), apart(m.Got, m.Got, m.Want, m.Packed))
}

// About names the case, and says how much of it is wrong.
func (m *Mismatch) About() string {
	if m.Of == 1 { // a table of one element would say as little
		return fmt.Sprintf("Case %s: %s", m.Case, m.Short())
	}
	wrong := CountWrong(m.Wrong, m.Of)
	if m.Component != "" {
		wrong = strings.Replace(wrong, "element", "component", 1)
	}
	return fmt.Sprintf("Case %s: %s", m.Case, wrong)
}

// CountWrong says how many of some elements are wrong.
func CountWrong(wrong, of int) string {
	switch {
	case of == 1:
		return "the only element is wrong"
	case wrong == of && of == 2:
		return "both elements are wrong"
	case wrong == of:
		return fmt.Sprintf("all %d elements are wrong", of)
	case wrong == 1:
		return fmt.Sprintf("1 of %d elements is wrong", of)
	}
	return fmt.Sprintf("%d of %d elements are wrong", wrong, of)
}

// lastDigits is a relative difference that comes from rounding: about a hundred times that of one
// operation in f32.
const lastDigits = 1e-5

// Question returns a question that leads on from it.
func (m *Mismatch) Question() string {
	got := float64(m.Got)
	switch {
	case m.Unwritten:
		return fmt.Sprintf("Which invocation should have written %s, and what stopped it?", m.Element())
	case math.IsNaN(got) && m.Lanes:
		return fmt.Sprintf("NaN comes from a lane that isn't there, from 0 / 0, from infinity minus infinity, or from memory that was never written. Which line could cause that for index %d?", m.Index)
	case math.IsNaN(got):
		return fmt.Sprintf("NaN comes from 0 / 0, from infinity minus infinity or divided by it, or from memory that was never written. Which line could cause that for index %d?", m.Index)
	case !m.Packed && math.Abs(got-float64(m.Want)) <= lastDigits*math.Abs(float64(m.Want)) && got != math.Trunc(got):
		return "Only the last digits differ. Where does your shader round, and in which order does it compute?"
	case m.Index > 0 && m.First != 0: // many mistakes leave a 0
		return fmt.Sprintf("%s is right, and %s is not. What is different?", m.Output+label(0, m.first()), m.Element())
	case got == 0:
		return "Follow one invocation through your shader. Which line should make its value other than 0?"
	}
	return fmt.Sprintf("Compute %s by hand from the inputs. Which step gives %s?", m.Element(), inBytes(m.Got, m.Packed))
}
