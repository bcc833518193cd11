package judge

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// muchMore is how many times the steps of the reference are too many for any other right way.
const muchMore = 50

// manyElements is how many elements a case has at least in which steps are compared.
const manyElements = 256

// timesTheWork returns how many times the steps of the reference the shader took in the largest watched
// case, and that case. It looks only at exercises with an invocation for each element: there, the
// surplus invocations of a large case hardly count.
func (f *facts) timesTheWork() (times uint64, largest outcome) {
	for _, o := range f.outcomes {
		if o.seen != nil && unfinished(o.seen) == nil && o.want.Len() > largest.want.Len() {
			largest = o
		}
	}
	if f.exercise.Dispatch != course.Cover || largest.want.Len() < manyElements || largest.reference == 0 {
		return 0, largest
	}
	return largest.seen.Steps / largest.reference, largest
}

// overwork says how much more a shader does than the reference; "" if that is little.
func (f *facts) overwork() string {
	times, o := f.timesTheWork()
	if times < muchMore {
		return ""
	}
	return fmt.Sprintf("But it takes %d times as many steps as the reference (%s). Does every invocation do the work of all?", times, o.Name)
}

// everyone diagnoses a race of invocations that all do the work of all, so that each element has many
// writers.
func everyone(f *facts) *verdict.Diagnosis {
	_, finding := f.firstOf(findings.RaceStorage)
	if finding == nil || f.overwork() == "" {
		return nil
	}
	d := f.inBuffer(finding)
	times, o := f.timesTheWork()
	d.Why = fmt.Sprintf("The shader takes %d times as many steps as the reference (%s). It seems that every invocation does the work of all, so that each element is read and written again and again.", times, o.Name)
	d.Ask = "Which element is the one of this invocation?"
	return d
}
