package judge

import (
	"context"

	"github.com/wgslab/wgslab/internal/verdict"
)

// A rule looks at the facts and says what is wrong, or nothing. It changes
// nothing: which rule has the word is decided here alone.
type rule func(*facts) *verdict.Diagnosis

// The rules, in the order in which they are asked.
var (
	// Of values that are not right.
	wrongValues = []rule{found, misdeclared, untouched, racing, misconceived, surplus, onlyBeyond, crowded}
	// The same, when the cases have also run in other orders.
	wrongValuesReordered = []rule{orderMatters, fixedLength, constant, unexplained}

	// Of values that are right.
	rightValues          = []rule{found, racing}
	rightValuesReordered = []rule{orderMatters, shortcut}
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
func (r *run) judge(ctx context.Context) (*verdict.Diagnosis, error) {
	plain, reordered := rightValues, rightValuesReordered
	if r.wrong = r.firstWrong(); r.wrong != nil {
		r.mismatch = mismatch(r.exercise, *r.wrong)
		plain, reordered = wrongValues, wrongValuesReordered
	}
	if d := first(plain, &r.facts); d != nil {
		return d, nil
	}
	// Other orders take several runs: only a shader that nothing else explains is
	// worth them.
	if err := r.runReordered(ctx); err != nil {
		return r.refused(verdict.StageRun, err)
	}
	return first(reordered, &r.facts), nil
}

// firstWrong is the first case with a wrong value; when all values are right,
// the first that was written to behind its end; nil when there is none.
func (f *facts) firstWrong() *outcome {
	var overrun *outcome
	for i := range f.outcomes {
		switch o := &f.outcomes[i]; {
		case o.difference.Wrong > 0:
			return o
		case len(o.beyond) > 0 && overrun == nil:
			overrun = o
		}
	}
	return overrun
}
