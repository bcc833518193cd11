package judge

import "github.com/wgslab/wgslab/internal/verdict"

// A rule looks at the facts and says what is wrong, or nothing. It changes
// nothing: which rule has the word is decided here alone.
type rule func(*facts) *verdict.Diagnosis

// The rules, in the order in which they are asked. What was seen comes first, but
// for what is seen as well of a mistake that has a name: an index that was read
// wrongly leads past the end, a fixed one lets all write to one place.
var (
	// Of values that are not right.
	wrongValues = []rule{misdeclared, untouched, crowded, racing, readingOthers, misconceived, surplus, fixedLength, racingInBuffers, constant, outside, unexplained}
	// Of values that are right.
	rightValues = []rule{crowded, racing, misconceived, surplus, racingInBuffers, outside, shortcut}
)

// first is what the first of the rules says that has something to say.
func first(rules []rule, f *facts) *verdict.Diagnosis {
	for _, rule := range rules {
		if d := rule(f); d != nil {
			return d
		}
	}
	return nil
}

// judge decides, and looks for the reason where the shader is wrong.
func (r *run) judge() *verdict.Diagnosis {
	if r.wrong = r.firstWrong(); r.wrong == nil {
		return first(rightValues, &r.facts)
	}
	r.mismatch = mismatch(r.exercise, *r.wrong)
	return first(wrongValues, &r.facts)
}

// firstWrong is the first case with a wrong value; nil when there is none.
func (f *facts) firstWrong() *outcome {
	for i, o := range f.outcomes {
		if o.difference.Wrong > 0 {
			return &f.outcomes[i]
		}
	}
	return nil
}
