package judge

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
)

// A leak is a part of a guard that is missing: how far beyond the last column and
// row an invocation still gets through.
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

// Leaks are tried in order, from the smallest on.
var (
	leaksInX = []leak{
		{1, 0, guardOffByOne, "One invocation too many gets past the guard", "Which of <, <=, > and >= stands in your guard?"},
		{everything, 0, missingGuard, "The surplus invocations write too", "What keeps an invocation away that has no element?"},
	}
	leaksInXY = []leak{
		{1, 0, guardOffByOne, "One column too many gets past the guard", "Which of <, <=, > and >= stands in your guard for the columns?"},
		{0, 1, guardOffByOne, "One row too many gets past the guard", "Which of <, <=, > and >= stands in your guard for the rows?"},
		{1, 1, guardOffByOne, "One column and one row too many get past the guard", "Which of <, <=, > and >= stands in your guard?"},
		{everything, 0, "missing-column-guard", "The invocations behind the last column write too", "What keeps an invocation away whose column does not exist?"},
		{0, everything, "missing-row-guard", "The invocations behind the last row write too", "What keeps an invocation away whose row does not exist?"},
		{everything, everything, missingGuard, "Invocations that have no element write too", "What keeps an invocation away whose row or column does not exist?"},
	}
)

// surplus: all that is wrong was done by invocations for which there is no element.
// In a matrix, one behind the last column writes into the next row, beside the
// invocation whose element that is: which of the two comes last is not determined.
func surplus(f *facts) *verdict.Diagnosis {
	if f.exercise.Dispatch != lesson.Cover {
		return nil
	}
	_, finding := f.firstWhere(f.bySurplus)
	if finding == nil {
		return nil
	}
	leaks := leaksInX
	if f.inRows() {
		leaks = leaksInXY
	}
	for _, l := range leaks {
		if f.explains(l) {
			return f.leaking(l, finding)
		}
	}
	return nil
}

// inRows says whether the exercise dispatches in two dimensions.
func (f *facts) inRows() bool { return f.outcomes[0].Extent[1] > 0 }

// bySurplus says whether a mistake is that an invocation without an element wrote.
func (f *facts) bySurplus(o outcome, finding shader.Finding) bool {
	switch finding.Kind {
	case sim.OutOfBoundsWrite:
		return f.isSurplus(o.Case, f.placeOf(o.Case, finding.Place))
	case sim.RaceStorage:
		return finding.Other != nil &&
			f.isSurplus(o.Case, f.placeOf(o.Case, finding.Place)) != f.isSurplus(o.Case, f.placeOf(o.Case, *finding.Other))
	}
	return false
}

func (f *facts) placeOf(c lesson.Case, at shader.Place) [2]int {
	return f.place(c, at.Workgroup, at.Invocation)
}

func (f *facts) isSurplus(c lesson.Case, place [2]int) bool {
	return place[0] >= c.Extent[0] || f.inRows() && place[1] >= c.Extent[1]
}

// explains says whether only those who get through a leak wrote without an element,
// and all that is wrong is where they wrote.
func (f *facts) explains(l leak) bool {
	for _, o := range f.outcomes {
		columns, rows := o.Extent[0], o.Extent[1]
		for _, at := range f.writers(o) {
			if f.isSurplus(o.Case, at) && (l.x != everything && at[0] >= columns+l.x || f.inRows() && l.y != everything && at[1] >= rows+l.y) {
				return false
			}
		}
		written := f.writtenBySurplus(l, o)
		tolerance := f.exercise.Allowed(o.Case)
		for i := range o.want.Len() {
			if !tolerance.Allows(o.got.At(i), o.want.At(i)) && !written[i] {
				return false
			}
		}
	}
	return true
}

// writtenBySurplus are the indices that the surplus invocations write, each
// taking row * columns + column for its own. What lies behind the end may land in
// the last element.
func (f *facts) writtenBySurplus(l leak, o outcome) map[int]bool {
	columns, rows := o.Extent[0], max(o.Extent[1], 1)
	groups := f.workgroups(o.Case)
	right := reached(columns, l.x, int(groups[0]*f.size[0]))
	bottom := reached(rows, l.y, int(groups[1]*f.size[1]))
	written := map[int]bool{}
	for row := range bottom {
		for column := range right {
			if row >= rows || column >= columns {
				written[min(row*columns+column, o.want.Len()-1)] = true
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

func (f *facts) leaking(l leak, finding *shader.Finding) *verdict.Diagnosis {
	values := "; your own elements are right. "
	if f.wrong == nil {
		values = ", though the values are right. "
	}
	name := f.output().Name
	why := fmt.Sprintf("The host starts whole workgroups of %d, so there are more invocations than elements. The surplus ones must do nothing. WebGPU quietly drops what they write out of bounds, so that nobody sees it; inside a larger buffer they would overwrite somebody else's data.", f.size[0])
	if f.inRows() {
		why = fmt.Sprintf("The host starts whole workgroups of %d × %d, so there are more invocations than elements. A row of %s is followed by the next row: who writes behind the last column changes the next row's first elements, and who writes behind the last row is outside. WebGPU quietly drops what is outside; inside a larger buffer it would be somebody else's data.", f.size[0], f.size[1], name)
	} else if l.diagnosis == guardOffByOne {
		why = "With n elements the indices run from 0 to n - 1. The element behind them belongs to somebody else; WebGPU quietly drops such a write, so that nobody sees the mistake until the code runs elsewhere."
	}
	return f.told(finding, l.diagnosis, l.what+values+why, l.question)
}
