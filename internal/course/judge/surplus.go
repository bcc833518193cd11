package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A leak is a missing part of a guard: how far past the last column and row invocations still get
// through.
type leak struct {
	x, y                      int // 0: nothing gets through; everything: the whole dispatch does
	diagnosis, what, question string
}

const everything = -1

// The diagnoses that one-dimensional and two-dimensional guards share.
const (
	guardOffByOne = "guard-off-by-one"
	missingGuard  = "missing-guard"
)

// The leaks, in the order in which surplus tries them: the smallest first.
var (
	leaksInX = []leak{
		{1, 0, guardOffByOne, "One invocation too many gets past the guard", "Which of <, <=, > and >= does your guard use?"},
		{everything, 0, missingGuard, "The surplus invocations write as well", "What stops an invocation that has no element?"},
	}
	leaksInXY = []leak{
		{1, 0, guardOffByOne, "One column too many gets past the guard", "Which of <, <=, > and >= does your guard use for the columns?"},
		{0, 1, guardOffByOne, "One row too many gets past the guard", "Which of <, <=, > and >= does your guard use for the rows?"},
		{1, 1, guardOffByOne, "One column and one row too many get past the guard", "Which of <, <=, > and >= does your guard use?"},
		{everything, 0, "missing-column-guard", "The invocations after the last column write as well", "What stops an invocation whose column doesn't exist in `%s`?"},
		{0, everything, "missing-row-guard", "The invocations after the last row write as well", "What stops an invocation whose row doesn't exist in `%s`?"},
		{everything, everything, missingGuard, "Invocations without an element write as well", "What stops an invocation whose row or column doesn't exist in `%s`?"},
	}
)

// surplus diagnoses a shader whose only mistakes come from invocations without an element. In a
// matrix, an invocation past the last column writes into the next row, where another invocation
// writes its own element. Either of the two may write last.
func surplus(f *facts) *verdict.Diagnosis {
	if f.Exercise.Dispatch != course.Cover {
		return nil
	}
	finding := f.firstBySurplus()
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

// inRows reports whether the exercise dispatches in two dimensions or in three.
func (f *facts) inRows() bool { return f.Outcomes[0].Extent[1] > 0 }

// firstBySurplus returns the first mistake in the smallest case in which an invocation without an
// element caused one; nil if there is none. Which values are wrong after a race depends on the
// driver, and must not decide what is told.
func (f *facts) firstBySurplus() *findings.Finding {
	bySize := slices.Clone(f.Outcomes)
	slices.SortStableFunc(bySize, func(a, b evidence.CaseRun) int { return cmp.Compare(f.Work(a.Case), f.Work(b.Case)) })
	for _, o := range bySize {
		for _, finding := range f.Mistakes(o) {
			if f.bySurplus(o, finding) {
				return &finding
			}
		}
	}
	return nil
}

// bySurplus reports whether an invocation without an element caused a mistake by writing.
func (f *facts) bySurplus(o evidence.CaseRun, finding findings.Finding) bool {
	switch finding.Kind {
	case findings.OutOfBoundsWrite:
		return f.isSurplus(o.Case, f.placeOf(o.Case, finding.Location))
	case findings.RaceStorage:
		return finding.Other() != nil &&
			f.isSurplus(o.Case, f.placeOf(o.Case, finding.Location)) != f.isSurplus(o.Case, f.placeOf(o.Case, *finding.Other()))
	}
	return false
}

func (f *facts) placeOf(c course.Case, at findings.Location) [3]int {
	return f.Place(c, at.Workgroup, at.Invocation)
}

func (f *facts) isSurplus(c course.Case, place [3]int) bool {
	for axis, n := range c.Extent {
		if n > 0 && place[axis] >= n {
			return true
		}
	}
	return false
}

// explains reports whether a leak explains everything: only invocations that it lets through wrote
// without an element, and only the elements that they wrote are wrong.
func (f *facts) explains(l leak) bool {
	for _, o := range f.Outcomes {
		columns, rows, planes := o.Extent[0], o.Extent[1], max(o.Extent[2], 1)
		for _, at := range f.Writers(o) {
			if f.isSurplus(o.Case, at) && (l.x != everything && at[0] >= columns+l.x || f.inRows() && l.y != everything && at[1] >= rows+l.y || at[2] >= planes) {
				return false
			}
		}
		written := f.writtenBySurplus(l, o)
		for i := range o.Want.Len() {
			if !o.Allowed.At(i).Allows(o.Got.At(i), o.Want.At(i)) && !written[i] {
				return false
			}
		}
	}
	return true
}

// writtenBySurplus returns the indices that the surplus invocations write, if each writes to row *
// columns + column, in its plane. A write past the end may land in the last element.
func (f *facts) writtenBySurplus(l leak, o evidence.CaseRun) map[int]bool {
	columns, rows, planes := o.Extent[0], max(o.Extent[1], 1), max(o.Extent[2], 1)
	groups := f.Workgroups(o.Case)
	right := reached(columns, l.x, int(groups[0]*f.Size[0]))
	bottom := reached(rows, l.y, int(groups[1]*f.Size[1]))
	written := map[int]bool{}
	for row := range bottom {
		for column := range right {
			for plane := range planes {
				if row >= rows || column >= columns {
					written[min((plane*rows+row)*columns+column, o.Want.Len()-1)] = true
				}
			}
		}
	}
	return written
}

// reached returns how many of the dispatched invocations get through a guard for n that lets
// `more` extra ones through.
func reached(n, more, dispatched int) int {
	if more == everything {
		return dispatched
	}
	return min(n+more, dispatched)
}

func (f *facts) leaking(l leak, finding *findings.Finding) *verdict.Diagnosis {
	if race := f.raceBySurplus(); race != nil && f.Wrong == nil && !finding.May {
		finding = race // in another case it only wrote out of bounds
	}
	what, values := l.what, ", and some overwrite elements of others."
	switch {
	case f.Wrong == nil && finding.May:
		what, values = strings.Replace(what, " write as well", " may write as well", 1), ". Here none does, so the values are right."
	case finding.Kind == findings.RaceStorage:
		values = ", and it is luck whose value stays."
	case f.Wrong == nil && finding.Kind == findings.OutOfBoundsWrite && l == leaksInX[0]:
		values = ", and its write is dropped here, so the values are right."
	case f.Wrong == nil && finding.Kind == findings.OutOfBoundsWrite && !f.intoNextRow(l):
		values = ", and their writes are dropped here, so the values are right."
	case f.Wrong == nil:
		values = ", though the values are right."
	}
	name := f.Output().Name
	besides := fmt.Sprintf("The host starts whole workgroups of %d, so there are more invocations than elements. The surplus ones must do nothing. WebGPU drops their out-of-bounds writes or clamps the index, without an error. In a larger buffer they would overwrite other data.", f.Size[0])
	if f.inRows() {
		besides = fmt.Sprintf("The host starts whole workgroups of %d × %d, so there are more invocations than elements. In memory, each row of %s is followed by the next. A write after the last column changes the first elements of the next row, and a write after the last row is out of bounds. WebGPU drops such a write or clamps its index, without an error. In a larger buffer it would overwrite other data.", f.Size[0], f.Size[1], name)
	} else if l.diagnosis == guardOffByOne {
		besides = "With n elements the indices run from 0 to n - 1. The memory after them isn't yours. WebGPU drops such a write or clamps its index, without an error. You may not notice the mistake until the code runs elsewhere."
	}
	d := f.told(finding, l.diagnosis, f.trespass(finding), strings.ReplaceAll(l.question, "%s", name))
	d.Message, d.Try, d.Besides = what+values, "", besides
	if guard := f.guardOf(finding); guard != nil && (l.diagnosis != missingGuard || f.selects(guard)) {
		f.pointAt(d, guard)
	}
	return d
}

// pointAt makes a diagnosis show an expression.
func (f *facts) pointAt(d *verdict.Diagnosis, x syntax.Expr) {
	d.Region = f.Shader.Source.Region(x.Span())
	line, _ := f.Source.Line(d.Line)
	d.Excerpt = d.Region.Excerpt(line)
}

// intoNextRow reports whether a leak lets an invocation write after the end of a row that isn't the
// last: to an element, so the write isn't dropped.
func (f *facts) intoNextRow(l leak) bool {
	return l.x != 0 && slices.ContainsFunc(f.Outcomes, func(o evidence.CaseRun) bool { return o.Extent[1] > 1 })
}

// raceBySurplus returns a race that an invocation without an element caused; nil if there is none.
func (f *facts) raceBySurplus() *findings.Finding {
	_, race := f.FirstWhere(func(o evidence.CaseRun, finding findings.Finding) bool {
		return finding.Kind == findings.RaceStorage && f.bySurplus(o, finding)
	})
	return race
}

// selects reports whether a condition names what tells the invocations of a workgroup apart, and no
// element: then it is a guard, if perhaps a wrong one.
func (f *facts) selects(guard syntax.Expr) bool {
	for range syntax.All[*syntax.IndexExpr](guard) {
		return false
	}
	apart := map[*types.Object]bool{}
	for _, in := range f.Entry.Inputs {
		apart[in.Param] = in.Param != nil && !sameInWorkgroup[in.Builtin]
	}
	uses := func(n syntax.Node) bool {
		for ident := range syntax.All[*syntax.IdentExpr](n) {
			if apart[f.Shader.Info.Uses[ident]] {
				return true
			}
		}
		return false
	}
	for let := range syntax.All[*syntax.LetDecl](f.Shader.File) {
		if o := f.Shader.Info.Defs[let.Name]; o != nil && uses(let.Init) {
			apart[o] = true
		}
	}
	return uses(guard)
}

// sameInWorkgroup has the builtin values that all invocations of a workgroup share.
var sameInWorkgroup = map[string]bool{"workgroup_id": true, "num_workgroups": true, "subgroup_size": true, "num_subgroups": true}

// guardOf returns the condition that lets an invocation come to a finding's place: of the if around
// it, or of the one before it that returns. It is nil if there is none, or more than one.
func (f *facts) guardOf(finding *findings.Finding) (guard syntax.Expr) {
	at := finding.Span.Start
	for s := range syntax.All[*syntax.IfStmt](f.Shader.File) {
		last := len(s.Then.List) - 1
		if last < 0 {
			continue
		}
		_, returns := s.Then.List[last].(*syntax.ReturnStmt)
		if around := s.Then.Span(); around.Start < at && at < around.End || returns && around.End <= at {
			if guard != nil {
				return nil
			}
			guard = s.Cond
		}
	}
	return guard
}

// trespass says what an invocation without an element did: it wrote past the end, or to an element
// that belongs to another invocation.
func (f *facts) trespass(finding *findings.Finding) string {
	other := finding.Other()
	if finding.Kind != findings.RaceStorage || other == nil {
		return english.Sentence(finding.Message)
	}
	surplus, owner := finding.Location, *other
	for _, o := range f.Outcomes {
		if o.Name == finding.Case && !f.isSurplus(o.Case, f.placeOf(o.Case, surplus)) {
			surplus, owner = owner, surplus
		}
	}
	who := func(p findings.Location) string {
		return fmt.Sprintf("nvocation %s of workgroup %s", verdict.Numbered(p.Invocation), verdict.Numbered(p.Workgroup))
	}
	return fmt.Sprintf("I%s has no element of its own, but it writes `%s[%d]`, which belongs to i%s.", who(surplus), finding.Variable, finding.Index, who(owner))
}
