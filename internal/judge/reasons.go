package judge

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/sim"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// searching is how long Explain looks for the nearest right shader at most. The search is limited by
// its work, which usually takes a tenth of a second; this is for a page on a slow phone.
const searching = 20 * time.Second

// Explain works like Run, and then finds out why a wrong shader is wrong and where. That needs no
// words of the exercise: the simulator compares the shader with the reference, and tries small edits.
// Explain passes the verdict to soon before it begins, and then completes the verdict's Reasons and
// Places. When the context ends after that, the verdict stands without reasons.
func Explain(ctx context.Context, on shader.Engines, exercise *course.Exercise, source *shader.Source, seed uint64, soon func(*verdict.Verdict)) (*verdict.Verdict, error) {
	r, v, err := begin(ctx, on, exercise, source, seed)
	defer r.free()
	if err != nil {
		return nil, err
	}
	if soon != nil {
		soon(v)
	}
	if v.Passed() || v.Diagnosis == verdict.Unnamed {
		return v, nil
	}
	told := *v
	reasons := r.reasons(ctx, &told)
	if ctx.Err() == nil {
		*v = told
		v.Reasons = reasons
		if v.Line == 0 {
			v.Excerpt = "" // chosen without the reasons
		}
		r.place(v)
	}
	if v.Story().Excerpt == "" && len(v.Places) > 0 {
		at := v.Places[0]
		v.Excerpt = r.excerpt(findings.Region{Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: at.Column + 1})
	}
	return v, nil
}

// reasons returns the reasons of a wrong shader that ran, what was observed first. It makes the
// verdict show the case and the element in which that was observed: one story is told.
func (r *run) reasons(ctx context.Context, v *verdict.Verdict) verdict.Reasons {
	if v.Stage != verdict.StageCompare || v.Diagnosis == verdict.Stub || r.shader == nil {
		return nil // the verdict names the loop that never ends, and edits of it would run as long
	}
	examples := r.examples()
	seen := r.observed(ctx, examples)
	suspicious := suspicion{ids: r.displaced}
	if seen != nil && !seen.Vague {
		suspicious.places = append(suspicious.places, seen.Region)
	}
	var found *verdict.Reason
	if n := r.nearest(ctx, suspicious, searching); n != nil {
		found = &verdict.Reason{Why: verdict.ByNearest, Text: n.Question, Region: n.Region, Excerpt: r.excerpt(n.Region), Hint: n.Edit, Also: n.Also}
	} else if departure := r.departure(ctx, examples); departure != nil && (seen == nil || seen.vague) {
		seen = departure
	} else if departure != nil {
		found = departure.Reason
	}
	if seen == nil && found == nil {
		found = r.truncates()
	}
	var all verdict.Reasons
	if seen != nil {
		r.retell(ctx, v, seen)
		all = append(all, *seen.Reason)
	}
	if found != nil {
		all = append(all, *found)
	}
	return all
}

// A sighting is a reason that was observed at an element of a case. It is vague if the shader reads
// what it needs, but does something else with it.
type sighting struct {
	*verdict.Reason
	outcome
	element int
	vague   bool
}

// observed returns the first difference that one of the examples shows; nil if none does.
func (r *run) observed(ctx context.Context, examples []outcome) *sighting {
	if r.inPasses() {
		return nil // a trace shows only one pass
	}
	for _, o := range examples {
		learners, err := r.traced(ctx, r.source, o)
		if err != nil {
			return nil
		}
		if seen := r.observe(ctx, o, learners); seen != nil {
			return seen
		}
	}
	return nil
}

// departure returns the step at which the first example departs from the reference's run.
func (r *run) departure(ctx context.Context, examples []outcome) *sighting {
	if len(examples) == 0 || byLuck(examples[0]) || r.inPasses() {
		return nil
	}
	return r.departs(ctx, examples[0])
}

// retell makes the verdict show the element of a sighting. A verdict about a finding keeps the case of
// the finding; then the reason names its own.
func (r *run) retell(ctx context.Context, v *verdict.Verdict, seen *sighting) {
	if v.Line > 0 {
		if v.Mismatch == nil || v.Mismatch.Case != seen.Name {
			seen.Inputs = nil
			seen.Text = fmt.Sprintf("Case %s: %s", seen.Name, seen.Text)
		}
		return
	}
	seen.got, seen.difference = seen.seen.Output, compare(seen.seen.Output, seen.want, seen.allowed)
	r.wrong, r.mismatch = &seen.outcome, mismatchAt(r.exercise, seen.outcome, seen.element)
	r.noteKept(ctx)
	v.Mismatch, v.Wrong = r.mismatch, r.stopAt(r.mismatch.Index)
	v.Origin = r.originAt(ctx, seen.outcome, seen.element)
	if v.Diagnosis == "" {
		v.Message, v.Ask = r.mismatch.Sentence(), r.mismatch.Question()
	}
}

// observe compares what happened to the elements with what should have happened, and returns the
// first difference.
func (r *run) observe(ctx context.Context, o outcome, learners *tracedRun) *sighting {
	elements := tellingElements(o)
	for _, element := range elements {
		if reason := r.notWritten(ctx, o, learners, element); reason != nil {
			return &sighting{reason, o, element, false}
		}
		if reason := r.builtOnOld(learners, element); reason != nil {
			return &sighting{reason, o, element, false}
		}
	}
	if byLuck(o) {
		return nil
	}
	for _, element := range elements {
		d, err := r.differ(ctx, o, learners, element)
		if err != nil {
			return nil
		}
		if text := d.sentence(r.exercise); text != "" {
			at, certain := r.where(ctx, learners, d)
			reason := r.reason(verdict.Dependency, at, text)
			reason.Inputs = d.pictures(r.exercise)
			reason.Vague = !certain
			return &sighting{reason, o, element, d.read}
		}
	}
	return nil
}

// truncates says that a float becomes a whole number, if that never happens in the reference.
func (r *run) truncates() *verdict.Reason {
	reference, err := r.exercise.Reference()
	if err != nil || len(truncations(reference.Shader())) > 0 {
		return nil
	}
	for _, span := range truncations(r.shader) {
		at := r.shader.Source.Region(span)
		return r.reason(verdict.ByComputing, at, fmt.Sprintf("On line %d, `%s` makes a whole number. What comes after the point is lost.", at.Line, oneLine(r.shader.Source.Slice(span))))
	}
	return nil
}

// truncations returns the conversions of a shader that make whole numbers of floats.
func truncations(s *wgsl.Shader) []syntax.Span {
	var found []syntax.Span
	syntax.Walk(s.File, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if ok && len(call.Args) == 1 && s.Info.Calls[call] != nil && s.Info.Calls[call].Kind == types.ConstructCall {
			to, from := s.Info.TypeOf(call), types.Unref(s.Info.TypeOf(call.Args[0]))
			if from == types.F32 && (to == types.I32 || to == types.U32) {
				found = append(found, call.Span())
			}
		}
		return true
	}, nil)
	return found
}

// builtOnOld says that an element is built on what was there before the run, although it is no input.
func (r *run) builtOnOld(t *tracedRun, element int) *verdict.Reason {
	w := word{r.exercise.Output, element}
	i := slices.IndexFunc(t.Accesses, func(a sim.Access) bool { return t.touches(a, w) })
	if r.exercise.InPlace || i < 0 || t.Sites[t.Accesses[i].Site].Kind != sim.Read {
		return nil
	}
	at := t.Sites[t.Accesses[i].Site].Span
	return r.reason(verdict.Dependency, at, fmt.Sprintf("Line %d reads `%s` before anything is written there. So what was in the buffer before the run goes into the result.", at.Line, r.output().WordName(element)))
}

// byLuck reports whether invocations disturbed each other in a case: then its values say little about
// the inputs.
func byLuck(o outcome) bool {
	return slices.ContainsFunc(o.seen.Findings, func(f findings.Finding) bool {
		switch f.Kind {
		case findings.RaceWorkgroup, findings.RaceStorage, findings.OutOfBoundsWrite, findings.DivergentBarrier:
			return f.IsError()
		}
		return false
	})
}

// mostExamples is the maximum number of cases in which a reason is looked for.
const mostExamples = 3

// examples returns the smallest cases with a wrong value.
func (r *run) examples() []outcome {
	var wrong []outcome
	for _, o := range r.outcomes {
		if o.seen != nil && unfinished(o.seen) == nil && compare(o.seen.Output, o.want, o.allowed).Wrong > 0 {
			wrong = append(wrong, o)
		}
	}
	slices.SortStableFunc(wrong, func(a, b outcome) int { return cmp.Compare(r.work(a.Case), r.work(b.Case)) })
	return wrong[:min(len(wrong), mostExamples)]
}

// tellingElements returns some of the wrong elements: the first, one in the middle and the last.
// Elements that should be 0 come last, since many mistakes leave a 0.
func tellingElements(o outcome) []int {
	var wrong []int
	for i := range o.want.Len() {
		if !o.allowed.At(i).Allows(o.seen.Output.At(i), o.want.At(i)) {
			wrong = append(wrong, i)
		}
	}
	elements := []int{wrong[0], wrong[len(wrong)/2], wrong[len(wrong)-1]}
	slices.SortStableFunc(elements, func(a, b int) int { return zeroLast(o.want.At(a)) - zeroLast(o.want.At(b)) })
	return slices.Compact(elements)
}

func zeroLast(x float64) int {
	if x == 0 {
		return 1
	}
	return 0
}

// where returns the place in the source that reads a surplus input, or the loop that should have read
// a missing one. It is certain if the invocation that writes the element reads there itself.
func (r *run) where(ctx context.Context, t *tracedRun, d *difference) (at findings.Region, certain bool) {
	stores := t.touching(word{r.exercise.Output, d.element}, sim.Write)
	if (d.belongs < 0 || r.inItsPlace(ctx, d, stores)) && !d.read && d.response == nil {
		for _, w := range d.surplus {
			if reads := t.touching(w, sim.Read); len(reads) > 0 {
				read := mostLike(reads, stores)
				own := slices.ContainsFunc(stores, func(a sim.Access) bool { return a.Workgroup == read.Workgroup && a.Invocation == read.Invocation })
				return t.Sites[read.Site].Span, own
			}
		}
		for _, w := range d.missing {
			for _, a := range t.Accesses {
				if t.Sites[a.Site].Kind == sim.Read && t.bindingOf(a) == w.binding {
					if t.repeats(a) {
						return t.Sites[a.Site].Span, true // each round reads the same
					}
					return r.loopAround(t.Sites[a.Site].Span), len(r.module.Workgroup) == 0
				}
			}
		}
	}
	if len(stores) == 0 {
		return findings.Region{}, false
	}
	return t.Sites[stores[len(stores)-1].Site].Span, false
}

// repeats reports whether the same invocation makes the same access again.
func (t *tracedRun) repeats(a sim.Access) bool {
	return slices.ContainsFunc(t.Accesses, func(b sim.Access) bool {
		return b.Site == a.Site && b.Workgroup == a.Workgroup && b.Invocation == a.Invocation && b.Offset == a.Offset && b.Turn != a.Turn
	})
}

// inItsPlace reports whether the element was written by the invocation that writes it in the reference:
// then it wrote to the right place, and read in the wrong one.
func (r *run) inItsPlace(ctx context.Context, d *difference, stores []sim.Access) bool {
	right, err := r.reference(ctx, d.outcome)
	if err != nil {
		return false
	}
	group, local, ok := right.writerOf(d.element)
	return ok && slices.ContainsFunc(stores, func(a sim.Access) bool { return a.Workgroup == group && a.Invocation == local })
}

// mostLike returns the read of the invocation that writes the element, or else the first.
func mostLike(reads, stores []sim.Access) sim.Access {
	for _, store := range stores {
		for _, read := range reads {
			if read.Workgroup == store.Workgroup && read.Invocation == store.Invocation {
				return read
			}
		}
	}
	return reads[0]
}

// loopAround returns the head of the innermost loop around a place, or the place itself.
func (r *run) loopAround(at findings.Region) findings.Region {
	found := at
	syntax.Walk(r.shader.File, func(n syntax.Node) bool {
		var body *syntax.BlockStmt
		switch n := n.(type) {
		case *syntax.ForStmt:
			body = n.Body
		case *syntax.WhileStmt:
			body = n.Body
		default:
			return true
		}
		head := r.shader.Source.Region(syntax.Span{Start: n.Span().Start, End: body.Span().Start})
		if end := r.shader.Source.Region(body.Span()); head.Line <= at.Line && at.Line <= end.EndLine {
			found = head
		}
		return true
	}, nil)
	return found
}

// place lists the places of a verdict, the most likely place of the mistake first.
func (r *run) place(v *verdict.Verdict) {
	v.Places = []verdict.Place{}
	r.placeIndex(v)
	byPlace := slices.Clone(v.Reasons)
	slices.SortStableFunc(byPlace, func(a, b verdict.Reason) int { return cmp.Compare(a.Placing(), b.Placing()) })
	for _, reason := range byPlace {
		if reason.Why != verdict.ByNearest {
			v.AddPlace(findings.Region{Line: v.Line, Column: v.Column}, verdict.ByFinding)
		}
		v.AddPlace(reason.Region, reason.Why)
		for _, at := range reason.Also {
			v.AddPlace(at, reason.Why)
		}
	}
	v.AddPlace(findings.Region{Line: v.Line, Column: v.Column}, verdict.ByFinding)
	for _, f := range v.Findings {
		if f.IsError() {
			v.AddPlace(f.Region, verdict.ByFinding)
		}
	}
	if v.Origin != nil {
		v.AddPlace(findings.Region{Line: v.Origin.Line, Column: v.Origin.Column}, verdict.ByComputing)
	}
	for _, reason := range v.Reasons {
		for _, at := range r.definitions(reason.Region) {
			v.AddPlace(at, reason.Why)
		}
	}
	if len(v.Places) == 0 && r.shader != nil && v.Stage == verdict.StageCompare && v.Diagnosis != verdict.Stub {
		at := r.shader.Source.Region(r.telling())
		v.AddPlace(at, verdict.ByDiagnosis)
		v.Excerpt = r.excerpt(at)
	}
}

// telling returns the part of a shader that computes its output, for a verdict about the whole of it: the
// first loop, or else the first statement that writes.
func (r *run) telling() syntax.Span {
	stores := r.storesToOutput()
	var loop *syntax.ForStmt
	syntax.Walk(r.shader.File, func(n syntax.Node) bool {
		if at, ok := n.(*syntax.ForStmt); ok && loop == nil {
			loop = at
		}
		return loop == nil
	}, nil)
	switch {
	case loop != nil:
		return syntax.Span{Start: loop.Span().Start, End: loop.Body.Span().Start}
	case len(stores) > 0:
		return stores[0]
	}
	return r.entry.Decl.Name.Span()
}

// placeIndex lists where the index of an unwritten element comes from, unless the nearest right shader
// says more: a guard or a store that names an index is seldom what is wrong.
func (r *run) placeIndex(v *verdict.Verdict) {
	if len(v.Reasons) != 1 || v.Reasons[0].Why != verdict.NotWritten || r.particular(v.Reasons[0].Region) {
		return
	}
	for _, at := range r.definitions(v.Reasons[0].Region) {
		v.AddPlace(at, verdict.NotWritten)
	}
}

// particular reports whether a line with a condition or an assignment calculates an index or a bound, or
// has a number of its own: then the line itself may be wrong.
func (r *run) particular(at findings.Region) bool {
	line, _ := r.source.Line(at.Line)
	line, _, _ = strings.Cut(line, "//")
	line, _, _ = strings.Cut(line, " = ")
	return calculation.MatchString(line)
}

var calculation = regexp.MustCompile(`[-+*/%]|\b[0-9]`)

// definitions returns where the local names in a place are declared: a wrong index is often computed
// a few lines before its use.
func (r *run) definitions(at findings.Region) []findings.Region {
	var places []findings.Region
	var function syntax.Span
	syntax.Walk(r.shader.File, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			function = n.Span()
		case *syntax.IdentExpr:
			o, line := r.shader.Info.Uses[n], r.shader.Source.Region(n.Span()).Line
			if o != nil && at.Line <= line && line <= at.EndLine && (o.Kind == types.LetObject || o.Kind == types.VarObject) && o.Span().Start >= function.Start {
				places = append(places, r.shader.Source.Region(o.Span()))
			}
		}
		return true
	}, nil)
	return places
}

func (r *run) reason(why verdict.Why, at findings.Region, text string) *verdict.Reason {
	return &verdict.Reason{Why: why, Text: text, Region: at, Excerpt: r.excerpt(at)}
}

func (r *run) excerpt(at findings.Region) string {
	line, _ := r.source.Line(at.Line)
	return at.Excerpt(line)
}
