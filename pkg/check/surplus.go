package check

import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/lesson"
)

// A leak is a part of a guard in two dimensions that is missing: how far beyond
// the last column and row an invocation still gets through.
type leak struct {
	x, y                      int // 0: not at all; everything: as far as the dispatch goes
	diagnosis, what, question string
}

const everything = -1

// leaks are tried in order, from the smallest on.
var leaks = []leak{
	{1, 0, "guard-off-by-one", "one column too many gets past the guard", "Which of <, <=, > and >= stands in your guard for the columns?"},
	{0, 1, "guard-off-by-one", "one row too many gets past the guard", "Which of <, <=, > and >= stands in your guard for the rows?"},
	{1, 1, "guard-off-by-one", "one column and one row too many get past the guard", "Which of <, <=, > and >= stands in your guard?"},
	{everything, 0, "missing-column-guard", "the invocations behind the last column write too", "What keeps an invocation away whose column does not exist?"},
	{0, everything, "missing-row-guard", "the invocations behind the last row write too", "What keeps an invocation away whose row does not exist?"},
	{everything, 1, "missing-guard", "invocations that have no element write too", "What keeps an invocation away whose row or column does not exist?"},
	{1, everything, "missing-guard", "invocations that have no element write too", "What keeps an invocation away whose row or column does not exist?"},
	{everything, everything, "missing-guard", "invocations that have no element write too", "What keeps an invocation away whose row or column does not exist?"},
}

// surplus: all that is wrong was written by invocations for which the matrix has
// no element. One behind the last column writes into the next row, beside the
// invocation whose element that is: which of the two comes last is not
// determined.
func (r *run) surplus() bool {
	if r.exercise.Dispatch != lesson.Cover || r.outcomes[0].Extent[1] == 0 || !r.anyBeyond() {
		return false
	}
	for _, l := range leaks {
		if r.explains(l) {
			r.failSurplus(l)
			return true
		}
	}
	return false
}

func (r *run) anyBeyond() bool {
	for _, o := range r.outcomes {
		if len(o.beyond) > 0 {
			return true
		}
	}
	return false
}

func (r *run) explains(l leak) bool {
	for _, o := range r.outcomes {
		written := r.writtenBySurplus(l, o)
		tolerance := r.exercise.Allowed(o.Case)
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
func (r *run) writtenBySurplus(l leak, o outcome) map[int]bool {
	columns, rows := o.Extent[0], o.Extent[1]
	groups := r.workgroups(o.Case)
	right := reached(columns, l.x, int(groups[0]*r.size[0]))
	bottom := reached(rows, l.y, int(groups[1]*r.size[1]))
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

func (r *run) failSurplus(l leak) {
	name := r.output().Name
	values := "The values are right"
	for _, o := range r.outcomes {
		if o.difference.Wrong > 0 {
			values = "Your own elements are right"
		}
	}
	r.fail(StageCompare, l.diagnosis, fmt.Sprintf("%s, but %s.", values, l.what))
	r.verdict.Mismatch = nil
	r.verdict.Why = fmt.Sprintf("The host starts whole workgroups of %d × %d, so there are more invocations than elements. A row of %s is followed by the next row: who writes behind the last column changes the next row's first elements, and who writes behind the last row is outside. WebGPU quietly drops what is outside; inside a larger buffer it would be somebody else's data.", r.size[0], r.size[1], name)
	r.verdict.Ask = l.question
}

// crowded: the workgroup has a second dimension where the exercise has one, so
// that several invocations change the same element in place.
func (r *run) crowded() bool {
	perElement := r.perElement()
	if perElement == 1 || r.functions.AsksFor("local_invocation_index") {
		return false
	}
	name := r.output().Name
	r.fail(StageCompare, "workgroup-shape", fmt.Sprintf("The workgroup has %d × %d × %d invocations, so %d of them have the same x, and change the same elements of %s.", r.size[0], r.size[1], r.size[2], perElement, name))
	r.verdict.Mismatch = nil
	r.verdict.Why = "The host dispatches in one dimension here: only x tells invocations apart. Where a result goes back into the buffer that it came from, it must not be worked on twice."
	r.verdict.Ask = "How many invocations should work on one element?"
	return true
}
