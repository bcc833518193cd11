package judge

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/verdict"
)

// A leak is a part of a guard in two dimensions that is missing: how far beyond
// the last column and row an invocation still gets through.
type leak struct {
	x, y                      int // 0: not at all; everything: as far as the dispatch goes
	diagnosis, what, question string
}

const everything = -1

// The diagnoses that a guard in one dimension shares with one in two.
const (
	guardOffByOne = "guard-off-by-one"
	missingGuard  = "missing-guard"
)

// leaks are tried in order, from the smallest on.
var leaks = []leak{
	{1, 0, guardOffByOne, "one column too many gets past the guard", "Which of <, <=, > and >= stands in your guard for the columns?"},
	{0, 1, guardOffByOne, "one row too many gets past the guard", "Which of <, <=, > and >= stands in your guard for the rows?"},
	{1, 1, guardOffByOne, "one column and one row too many get past the guard", "Which of <, <=, > and >= stands in your guard?"},
	{everything, 0, "missing-column-guard", "the invocations behind the last column write too", "What keeps an invocation away whose column does not exist?"},
	{0, everything, "missing-row-guard", "the invocations behind the last row write too", "What keeps an invocation away whose row does not exist?"},
	{everything, 1, missingGuard, "invocations that have no element write too", "What keeps an invocation away whose row or column does not exist?"},
	{1, everything, missingGuard, "invocations that have no element write too", "What keeps an invocation away whose row or column does not exist?"},
	{everything, everything, missingGuard, "invocations that have no element write too", "What keeps an invocation away whose row or column does not exist?"},
}

// surplus: all that is wrong was written by invocations for which the matrix has
// no element. One behind the last column writes into the next row, beside the
// invocation whose element that is: which of the two comes last is not
// determined.
func surplus(f *facts) *verdict.Diagnosis {
	if f.exercise.Dispatch != lesson.Cover || f.outcomes[0].Extent[1] == 0 || !f.anyBeyond() {
		return nil
	}
	for _, l := range leaks {
		if f.explains(l) {
			return f.leaking(l)
		}
	}
	return nil
}

func (f *facts) anyBeyond() bool {
	for _, o := range f.outcomes {
		if len(o.beyond) > 0 {
			return true
		}
	}
	return false
}

func (f *facts) explains(l leak) bool {
	for _, o := range f.outcomes {
		written := f.writtenBySurplus(l, o)
		tolerance := f.exercise.Allowed(o.Case)
		for i := range o.want.Len() {
			if !tolerance.Allows(o.got.At(i), o.want.At(i)) && !written[i] {
				return false
			}
		}
		for _, i := range o.beyond {
			if !written[i] {
				return false
			}
		}
	}
	return true
}

// writtenBySurplus are the indices that the surplus invocations write, each
// taking row * columns + column for its own.
func (f *facts) writtenBySurplus(l leak, o outcome) map[int]bool {
	columns, rows := o.Extent[0], o.Extent[1]
	groups := f.workgroups(o.Case)
	right := reached(columns, l.x, int(groups[0]*f.size[0]))
	bottom := reached(rows, l.y, int(groups[1]*f.size[1]))
	written := map[int]bool{}
	for row := range bottom {
		for column := range right {
			if row >= rows || column >= columns {
				written[row*columns+column] = true
			}
		}
	}
	return written
}

// reached is how many of the dispatched invocations get through a guard for n
// that lets `more` through.
func reached(n, more, dispatched int) int {
	if more == everything {
		return dispatched
	}
	return min(n+more, dispatched)
}

func (f *facts) leaking(l leak) *verdict.Diagnosis {
	values := "The values are right"
	for _, o := range f.outcomes {
		if o.difference.Wrong > 0 {
			values = "Your own elements are right"
		}
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: l.diagnosis,
		Message: fmt.Sprintf("%s, but %s.", values, l.what),
		Why:     fmt.Sprintf("The host starts whole workgroups of %d × %d, so there are more invocations than elements. A row of %s is followed by the next row: who writes behind the last column changes the next row's first elements, and who writes behind the last row is outside. WebGPU quietly drops what is outside; inside a larger buffer it would be somebody else's data.", f.size[0], f.size[1], f.output().Name),
		Ask:     l.question,
	}
}

// perElement is how many invocations have the same x, where only x counts.
func (f *facts) perElement() uint32 {
	if f.outcomes[0].Extent[1] > 0 || !f.exercise.InPlace {
		return 1
	}
	return f.size[1] * f.size[2]
}

// crowded: the workgroup has a second dimension where the exercise has one, so
// that several invocations change the same element in place.
func crowded(f *facts) *verdict.Diagnosis {
	perElement := f.perElement()
	if perElement == 1 || f.asksFor("local_invocation_index") {
		return nil
	}
	return &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "workgroup-shape",
		Message: fmt.Sprintf("The workgroup has %d × %d × %d invocations, so %d of them have the same x, and change the same elements of %s.", f.size[0], f.size[1], f.size[2], perElement, f.output().Name),
		Why:     "The host dispatches in one dimension here: only x tells invocations apart. Where a result goes back into the buffer that it came from, it must not be worked on twice.",
		Ask:     "How many invocations should work on one element?",
	}
}
