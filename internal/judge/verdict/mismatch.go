package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
)

// Element returns the name of the first wrong element, such as out[63], or of the component of a
// vector, such as out[63].y.
func (m *Mismatch) Element() string { return m.Output + m.Label(m.Index) }

// Label returns the name of a word without the name of the output, such as [63] or [63].y.
func (m *Mismatch) Label(word int) string { return shader.WordName("", m.Components, word) }

// IsPadding reports whether a word is only there to fill up a vector of three components.
func (m *Mismatch) IsPadding(word int) bool { return m.Components == 3 && word%4 == 3 }

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
		return fmt.Sprintf("`%s` should be %s, but was written with its old value, %s.", m.Element(), m.Want, m.Got)
	}
	return fmt.Sprintf("`%s` should be %s, but is %s.", m.Element(), m.Want, m.Got)
}

// About names the case, and says how much of it is wrong.
func (m *Mismatch) About() string {
	if m.Of == 1 { // a table of one element would say as little
		return fmt.Sprintf("Case %s: %s", m.Case, m.Short())
	}
	return fmt.Sprintf("Case %s: %s", m.Case, CountWrong(m.Wrong, m.Of))
}

// CountWrong says how many of some elements are wrong.
func CountWrong(wrong, of int) string {
	switch {
	case of == 1:
		return "the only element is wrong"
	case wrong == of:
		return fmt.Sprintf("all %d elements are wrong", of)
	case wrong == 1:
		return fmt.Sprintf("1 of %d elements is wrong", of)
	}
	return fmt.Sprintf("%d of %d elements are wrong", wrong, of)
}

// Question returns a question that leads on from it.
func (m *Mismatch) Question() string {
	got := float64(m.Got)
	switch {
	case m.Unwritten:
		return fmt.Sprintf("Which invocation should have written %s, and what stopped it?", m.Element())
	case math.IsNaN(got):
		return fmt.Sprintf("NaN comes from reading memory that was never written, or from 0/0. Which line could cause that for index %d?", m.Index/shader.Stride(m.Components))
	case m.Index > 0 && m.First != 0: // many mistakes leave a 0
		return fmt.Sprintf("%s is right, and %s is not. What is different?", m.Output+m.Label(0), m.Element())
	case got == 0:
		return "Follow one invocation through your shader. Where does the value become 0?"
	}
	return fmt.Sprintf("Compute %s by hand from the inputs. Which step gives %s?", m.Element(), m.Got)
}
