package reasons

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// notWritten says why no invocation wrote an element: the one that writes it in the reference wrote
// another element, or a condition kept it away. It returns nil if an invocation did write it.
func (r *finder) notWritten(ctx context.Context, o evidence.CaseRun, learners *evidence.Trace, element int) *verdict.Reason {
	output := r.Exercise.Output
	if len(learners.Writing(r.word(element))) > 0 || learners.Cut {
		return nil
	}
	right, err := r.reference(ctx, o)
	if err != nil {
		return nil
	}
	alike := r.sharesOut(ctx, o, learners, right)
	group, local, ok := right.writerOf(element)
	if !ok {
		return nil
	}
	who := fmt.Sprintf("Invocation %s of workgroup %s", numbered(local, r.Size), numbered(group, r.Workgroups(o.Case)))
	name := r.Output().WordName(element)
	if wrote := learners.Of(output, ir.Write, group, local); len(wrote) > 0 {
		first := wrote[0]
		r.displaced = group > 0
		if alike {
			who += " should write it, but it"
		}
		reason := r.reason(verdict.NotWritten, learners.Sites[first.Site].Span,
			fmt.Sprintf("`%s` was never written. %s writes `%s` on line %d.", name, who, r.Output().WordName(int(first.Offset/4)), learners.Sites[first.Site].Span.Line))
		reason.Invocation, reason.Vague = r.invocation(o, group, local), !alike
		return reason
	}
	kept := r.keptAway(ctx, o, group, local)
	if kept == nil && len(r.storesToOutput()) == 0 {
		return r.reason(verdict.NotWritten, findings.Region{}, fmt.Sprintf("`%s` was never written: no line writes to `%s`.", name, r.Output().Name))
	}
	if kept == nil || !alike {
		return nil
	}
	reason := r.reason(verdict.NotWritten, kept.region, fmt.Sprintf("`%s` was never written. %s should write it, but %s.", name, who, kept.words))
	reason.Invocation = r.invocation(o, group, local)
	return reason
}

// invocation returns a condition in WGSL that holds for one invocation only, in main; "" if main
// has no parameter that tells the invocations apart.
func (r *finder) invocation(o evidence.CaseRun, group, local uint32) string {
	groups, size := r.Workgroups(o.Case), r.Size
	at := func(n uint32, of [3]uint32, axis int) uint32 {
		return [3]uint32{n % of[0], n / of[0] % of[1], n / of[0] / of[1]}[axis]
	}
	for _, in := range r.Entry.Inputs {
		if in.Builtin != "global_invocation_id" || in.Param == nil {
			continue
		}
		var parts []string
		for axis, name := range []string{"x", "y"} {
			if groups[axis]*size[axis] > 1 {
				parts = append(parts, fmt.Sprintf("%s.%s == %du", in.Param.Name, name, at(group, groups, axis)*size[axis]+at(local, size, axis)))
			}
		}
		return strings.Join(parts, " && ")
	}
	return ""
}

// numbered writes the id of an invocation or a workgroup, in as many directions as there are.
func numbered(n uint32, of [3]uint32) string {
	if of[1]*of[2] == 1 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("(%d, %d, %d)", n%of[0], n/of[0]%of[1], n/of[0]/of[1])
}

// sharesOut reports whether the learner's shader shares the elements among the invocations as the
// reference does: then one can say who should have written an element. The right elements tell.
//
// If none is right, those of other cases tell, and then every right shader of the exercise has to
// share the elements as the reference does.
func (r *finder) sharesOut(ctx context.Context, o evidence.CaseRun, learners *evidence.Trace, right *referenceRun) bool {
	if some, alike := r.sharesIn(o, learners, right); some || !alike {
		return alike
	}
	known, looked := false, 0
	for _, other := range r.Outcomes {
		if looked >= mostAlike {
			break
		}
		if other.Seen == nil || evidence.Unfinished(other.Seen) != nil || r.Work(other.Case) > evidence.MostWatched/8 {
			continue
		}
		own, err := r.Trace(ctx, r.Source, other)
		if err != nil || own.Cut {
			continue
		}
		if due, err := r.reference(ctx, other); err == nil {
			some, alike := r.sharesIn(other, own, due)
			if !alike {
				return false
			}
			known, looked = known || some, looked+1
		}
	}
	return known || r.allShareOut(ctx, o, right)
}

// mostAlike limits the cases in which sharesOut follows both shaders.
const mostAlike = 8

// sharesIn reports whether some right elements of a case were written by both shaders, and all of
// these by the same invocation.
func (r *finder) sharesIn(o evidence.CaseRun, learners *evidence.Trace, right *referenceRun) (some, alike bool) {
	for element := range o.Want.Len() {
		if !o.Allowed.At(element).Allows(o.Seen.Output.At(element), o.Want.At(element)) {
			continue
		}
		writes := learners.Touching(r.word(element), ir.Write)
		group, local, ok := right.writerOf(element)
		if !ok || len(writes) == 0 {
			continue
		}
		if !slices.ContainsFunc(writes, func(a sim.Access) bool { return a.Workgroup == group && a.Invocation == local }) {
			return true, false
		}
		some = true
	}
	return some, true
}

// allShareOut reports whether the same invocation writes each element in every right shader of the
// exercise that has workgroups of the learner's size.
func (r *finder) allShareOut(ctx context.Context, o evidence.CaseRun, right *referenceRun) bool {
	for _, source := range r.rights() {
		trace, err := r.Trace(ctx, source, o)
		if err != nil || trace.Cut {
			continue
		}
		for element := range o.Want.Len() {
			group, local, ok := right.writerOf(element)
			writes := trace.Touching(r.word(element), ir.Write)
			if ok && len(writes) > 0 && !slices.ContainsFunc(writes, func(a sim.Access) bool { return a.Workgroup == group && a.Invocation == local }) {
				return false
			}
		}
	}
	return true
}

// A referenceRun is the reference's run of a case.
type referenceRun struct {
	*finder
	evidence.CaseRun
	trace *evidence.Trace
	size  [3]uint32 // of the reference's workgroups
}

// reference runs the reference in a case.
func (r *finder) reference(ctx context.Context, o evidence.CaseRun) (*referenceRun, error) {
	reference, err := r.standard()
	if err != nil {
		return nil, err
	}
	entry, err := reference.Entry(sim.Adapter())
	if err != nil {
		return nil, err
	}
	trace, err := r.Trace(ctx, reference, o)
	return &referenceRun{r, o, trace, entry.WorkgroupSize}, err
}

// writerOf returns the invocation of the learner's dispatch whose place is that of the reference's
// writer of an element.
func (w *referenceRun) writerOf(element int) (group, local uint32, ok bool) {
	writes := w.trace.Touching(w.word(element), ir.Write)
	if len(writes) == 0 || w.trace.Cut {
		return 0, 0, false
	}
	last := writes[len(writes)-1]
	size := w.finder.Size
	if w.Exercise.Dispatch != course.Cover {
		return last.Workgroup, last.Invocation, last.Invocation < size[0]*size[1]*size[2]
	}
	workgroup := evidence.Unrolled(last.Workgroup, w.Exercise.Dispatch.Workgroups(w.Extent, w.size))
	invocation := evidence.Unrolled(last.Invocation, w.size)
	mine := w.Workgroups(w.Case)
	for axis := 2; axis >= 0; axis-- {
		at := workgroup[axis]*w.size[axis] + invocation[axis]
		if at >= mine[axis]*size[axis] {
			return 0, 0, false
		}
		group, local = group*mine[axis]+at/size[axis], local*size[axis]+at%size[axis]
	}
	return group, local, true
}

// A keptAway says which condition kept an invocation from a statement.
type keptAway struct {
	region findings.Region
	words  string
	always string // the words if the condition kept it away in every round of a loop
}

// within reports whether the condition is in a region.
func (k *keptAway) within(region findings.Region) bool {
	return region.Line <= k.region.Line && k.region.Line <= region.EndLine
}

// mostFollowed limits the statements of an invocation that are followed.
const mostFollowed = 20_000

// keptAway follows an invocation and returns the condition that kept it from writing to the output.
func (r *finder) keptAway(ctx context.Context, o evidence.CaseRun, group, local uint32) *keptAway {
	program, err := sim.CompileEntry(r.Source.At(shader.EntryPoint), nil, true)
	if err != nil {
		return nil
	}
	session, err := program.Debug(ctx, r.Workgroups(o.Case), bound(o.Buffers))
	if err != nil {
		return nil
	}
	for session.Number() < uint64(group) {
		if !session.Next() {
			return nil
		}
	}
	f := &follower{finder: r, program: program, session: session, local: int(local), stores: r.storesToOutput()}
	return f.follow()
}

// A follower follows one invocation from statement to statement.
type follower struct {
	*finder
	program *sim.Program
	session *sim.Stepper
	local   int
	stores  []syntax.Span
	kept    *keptAway
}

// follow runs the invocation to its end and returns the last condition that kept it from a store.
func (f *follower) follow() *keptAway {
	for range mostFollowed {
		switch at := f.session.At(f.local); at.State {
		case sim.Ended:
			return f.kept
		case sim.AtBarrier, sim.AtSubgroup:
			if !f.meet() {
				return f.kept
			}
		default:
			f.visit(at.Statement)
			f.session.Step(f.local)
		}
	}
	return nil
}

// meet brings the other invocations to the barrier.
func (f *follower) meet() bool {
	for i := range f.session.Invocations() {
		for n := 0; f.session.At(i).State == sim.AtStatement; n++ {
			if n > mostFollowed {
				return false
			}
			f.session.Step(i)
		}
	}
	return f.session.Meet()
}

// visit looks whether a statement's condition leads away from every store.
func (f *follower) visit(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.IfStmt:
		then, otherwise := f.hasStore(s.Then.Span()), s.Else != nil && f.hasStore(s.Else.Span())
		switch taken, ok := f.truth(s.Cond); {
		case !ok:
		case taken && otherwise && !then, taken && s.Then.Leaves() && f.storeAfter(s.Span()):
			f.keep(s.Cond, true)
		case !taken && then && !otherwise:
			f.keep(s.Cond, false)
		}
	case *syntax.ForStmt:
		f.visitLoop(s.Cond, s.Body)
	case *syntax.WhileStmt:
		f.visitLoop(s.Cond, s.Body)
	}
}

func (f *follower) visitLoop(cond syntax.Expr, body *syntax.BlockStmt) {
	if cond == nil || !f.hasStore(body.Span()) {
		return
	}
	if again, ok := f.truth(cond); !ok || again {
		return
	}
	if f.kept != nil && f.kept.within(f.Shader.Source.Region(body.Span())) {
		f.kept.words = f.kept.always // the loop ran, and its end keeps nothing away
		return
	}
	f.keep(cond, false)
}

func (f *follower) hasStore(within syntax.Span) bool {
	return slices.ContainsFunc(f.stores, func(s syntax.Span) bool { return within.Start <= s.Start && s.End <= within.End })
}

func (f *follower) storeAfter(s syntax.Span) bool {
	return slices.ContainsFunc(f.stores, func(store syntax.Span) bool { return store.Start >= s.End })
}

// keep notes the condition. Of several joined by && or ||, it takes the one that decides.
func (f *follower) keep(cond syntax.Expr, value bool) {
	decides := f.deciding(cond, value)
	region := f.Shader.Source.Region(decides.Span())
	words := fmt.Sprintf("the condition on line %d is %t: `%s`", region.Line, value, f.text(decides))
	if b, ok := decides.(*syntax.BinaryExpr); ok {
		if x, y := f.value(b.X), f.value(b.Y); x != "" && y != "" {
			words += ", where " + f.equation(b.X, x) + f.and(b.X, b.Y) + f.equation(b.Y, y)
		}
	}
	f.kept = &keptAway{region, words, fmt.Sprintf("the condition on line %d is never %t: `%s`", region.Line, !value, f.text(decides))}
}

// equation says what a part of a condition is; a literal speaks for itself.
func (f *follower) equation(x syntax.Expr, value string) string {
	if _, literal := syntax.Unparen(x).(*syntax.Literal); literal {
		return ""
	}
	return fmt.Sprintf("`%s` is %s", f.text(x), value)
}

func (f *follower) and(x, y syntax.Expr) string {
	for _, part := range []syntax.Expr{x, y} {
		if _, literal := syntax.Unparen(part).(*syntax.Literal); literal {
			return ""
		}
	}
	return " and "
}

// deciding returns the part of a condition that makes it true or false.
func (f *follower) deciding(x syntax.Expr, value bool) syntax.Expr {
	x = syntax.Unparen(x)
	b, ok := x.(*syntax.BinaryExpr)
	if !ok || b.Op != syntax.OpLogicalAnd && b.Op != syntax.OpLogicalOr {
		return x
	}
	for _, part := range []syntax.Expr{b.X, b.Y} {
		if v, ok := f.truth(part); ok && v == value {
			return f.deciding(part, value)
		}
	}
	return x
}

func (f *follower) text(x syntax.Expr) string { return f.Shader.Source.Slice(x.Span()) }

func (f *follower) truth(x syntax.Expr) (value, ok bool) {
	switch f.value(x) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// value returns what an expression is now, as WGSL writes it; "" if it cannot be computed.
func (f *follower) value(x syntax.Expr) string {
	stack := f.session.Stack(f.local)
	if len(stack) == 0 {
		return ""
	}
	e, err := f.program.Expression(stack[0], f.text(x))
	if err != nil {
		return ""
	}
	v, _, err := f.session.Evaluate(e, f.local)
	if err != nil || !v.Valid() {
		return ""
	}
	return strings.TrimSuffix(v.String(), "u") // 0u is 0
}

// storesToOutput returns the statements that write to the output, or call a function that does.
func (f *finder) storesToOutput() []syntax.Span {
	name := ""
	for _, b := range f.Module.Bindings {
		if int(b.Number) == f.Exercise.Output && b.Space == shader.ReadWrite {
			name = b.Name
		}
	}
	var stores []syntax.Span
	for s := range syntax.All[syntax.Stmt](f.Shader.File) {
		if x := syntax.Assigned(s); x != nil && rootOf(x) == name {
			stores = append(stores, s.Span())
		}
	}
	return stores
}

// rootOf returns the name of the variable that a reference begins with.
func rootOf(x syntax.Expr) string {
	if root, ok := syntax.Base(x).(*syntax.IdentExpr); ok {
		return root.Name.Name
	}
	return ""
}
