package verdict

import (
	"fmt"
	"math"
)

// Element returns the name of the first wrong element, such as out[63].
func (m *Mismatch) Element() string { return fmt.Sprintf("%s[%d]", m.Output, m.Index) }

// Sentence says what is wrong.
func (m *Mismatch) Sentence() string {
	if m.Unwritten {
		return fmt.Sprintf("%s[%d] was never written (%s, %d of %d elements are wrong).", m.Output, m.Index, m.Case, m.Wrong, m.Of)
	}
	if m.Kept {
		return fmt.Sprintf("%s[%d] should be %s, but was written with its old value, %s (%s, %d of %d elements are wrong).", m.Output, m.Index, m.Want, m.Got, m.Case, m.Wrong, m.Of)
	}
	return fmt.Sprintf("%s[%d] should be %s, but is %s (%s, %d of %d elements are wrong).", m.Output, m.Index, m.Want, m.Got, m.Case, m.Wrong, m.Of)
}

// Question returns a question that leads on from it.
func (m *Mismatch) Question() string {
	got := float64(m.Got)
	switch {
	case m.Unwritten:
		return fmt.Sprintf("Which invocation should have written %s[%d], and what stopped it?", m.Output, m.Index)
	case math.IsNaN(got):
		return fmt.Sprintf("NaN comes from reading memory that was never written, or from 0/0. Which line could cause that for index %d?", m.Index)
	case m.Index > 0 && m.First != 0: // many mistakes leave a 0
		return fmt.Sprintf("%s[0] is right, and %s is not. What is different?", m.Output, m.Element())
	case got == 0:
		return "Follow one invocation through your shader. Where does the value become 0?"
	}
	return fmt.Sprintf("Work out %s by hand from the inputs. Which step gives %s?", m.Element(), m.Got)
}
