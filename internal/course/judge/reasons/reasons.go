// Package reasons finds out why a wrong shader is wrong, and where. It knows no engine and no rule:
// an Input says what the judge found out, and how to try an edited shader.
//
// Locate is quick and runs with the verdict: it traces the first wrong element back to its source
// (origin.go), and lists the places of the mistake (places.go). Explain is the search. It runs only
// for a shader that ran and left wrong values, in these steps:
//
//  1. Narrow (passes.go). In an exercise with several passes, we replace one pass at a time by the
//     reference's. If that makes every result right, everything below is about that pass alone.
//  2. Choose examples: the smallest cases with a wrong value, up to three, and up to three wrong
//     elements in each.
//  3. Observe. We record the accesses of an example, and look for its first difference from the
//     reference (below).
//  4. Search for the nearest right shader (nearest.go). We try small edits of the text, the nearest
//     first; an edit in a place that the observation points to counts as nearer. An edit has to
//     pass the trials, which are small cases, and then the whole check. If none does, we pair the
//     edits that leave the fewest wrong elements with every other edit.
//  5. Look for a departure (departure.go), if no edit passes: the step whose result never occurs in
//     the reference's run, although all numbers that it starts from do.
//  6. If there is still nothing to say, look for a conversion to a whole number that the reference
//     lacks.
//
// The verdict then tells one story: it shows the case and the element of the observation (retell),
// and the observation comes before the edit. The searches are limited by their work, not by time,
// so a busy machine finds the same. Only a page on a slow phone reaches the time limit.
//
// # The observation
//
// The first of these that holds for an element is its reason:
//   - Not written (unwritten.go): no invocation wrote the element. We follow the one that writes it
//     in the reference: it wrote another element, or a condition kept it away.
//   - Built on what was there: the shader read the element before anything was written to it.
//   - Other inputs (needs.go): we change inputs, and see on which of them the element depends, in
//     the shader and in the reference.
//   - Another response: the inputs are the same, but the element grows by another amount when one
//     of them grows by 1.
//
// In a case that is too large to change one input after the other, we compare the inputs from which
// the simulator computed the value. If invocations disturbed each other, we say nothing about
// inputs.
package reasons

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// searching is how long Explain looks for the nearest right shader at most. The search is limited
// by its work, which usually takes a tenth of a second; this is for a page on a slow phone.
const searching = 20 * time.Second

// An Input is everything that the reasons are found from.
type Input struct {
	evidence.Facts
	Origin shader.Explainer                           // traces a value back, in the simulator; nil if it did not watch
	Passes func(context.Context, *shader.Source) bool // checks an edited shader
}

// Locate adds to the verdict on a wrong shader what its runs tell at once: where the first wrong
// element came from, and the places of the mistake.
func (in *Input) Locate(ctx context.Context, v *verdict.Verdict) {
	f := &finder{Input: *in}
	v.Origin = f.origin(ctx)
	if v.Stage != verdict.StageCompile && v.Stage != verdict.StageBind {
		v.Wrong = f.wrongElement(v.Origin)
	}
	f.place(v)
	f.show(v, false)
}

// Explain completes the verdict on a wrong shader with reasons, and lists the places anew. That
// needs no words of the exercise: the simulator compares the shader with the reference, and tries
// small edits. If the context ends, the verdict stands without reasons.
func (in *Input) Explain(ctx context.Context, v *verdict.Verdict) {
	f, told := (&finder{Input: *in}).narrowed(ctx), *v
	told.Reasons = f.reasons(ctx, &told)
	if ctx.Err() == nil {
		*v = told
		f.place(v)
		f.show(v, true)
	}
}

// A finder looks for the reasons of one verdict.
type finder struct {
	Input
	breather
	displaced bool            // an invocation of a later workgroup wrote another element than it should
	skeleton  map[string]bool // the lines that the exercise gave to the learner; nil until given
	tooLarge  string          // a case that takes too many steps to change one input after the other
	suspected []sim.Suspect   // where the shader departs from the right one that is most like it
	mistaken  []sim.Suspect   // where it makes the mistake that was diagnosed
	written   []writtenAlike  // where its text makes that mistake
	pass      string          // the pass that everything is about, of a shader with several; "" if it is all of them
}

// reasons returns the reasons of a wrong shader that ran, what was observed first. It makes the
// verdict show the case and the element in which that was observed: one story is told.
func (r *finder) reasons(ctx context.Context, v *verdict.Verdict) verdict.Reasons {
	if v.Stage != verdict.StageCompare || v.Slug == verdict.Stub || r.Shader == nil {
		return nil // the verdict names the loop that never ends, and edits of it would run as long
	}
	examples := r.examples()
	seen := r.observed(ctx, examples)
	suspicious := suspicion{ids: r.displaced, way: map[int]bool{}}
	if v.Origin != nil {
		onTheWay(&v.Origin.OriginStep, suspicious.way)
	}
	r.suspected, r.mistaken, r.written = r.suspects(ctx, examples), r.recognised(ctx, examples, v.Slug), r.writtenAs(v.Slug)
	for _, s := range r.suspected {
		if s.Sure {
			suspicious.places = append(suspicious.places, s.Place)
		}
	}
	if seen != nil && !seen.Vague {
		suspicious.places = append(suspicious.places, seen.Region)
		if seen.direct {
			suspicious.seen = seen.Region
		}
	}
	var found *verdict.Reason
	if n := r.nearest(ctx, suspicious, searching); n != nil {
		found = r.mending(n.from(v.Line))
		if r.asksToWait(v) && !n.Waits {
			v.Ask = found.Text // the two sides of the race needn't wait for each other there
		}
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
	return r.blaming(all)
}

// onTheWay adds the lines of a step and of those that it comes from.
func onTheWay(s *verdict.OriginStep, lines map[int]bool) {
	lines[s.Line] = true
	for i := range s.From {
		onTheWay(&s.From[i], lines)
	}
}

// asksToWait reports whether the verdict is about an invocation that reads what another one writes.
func (r *finder) asksToWait(v *verdict.Verdict) bool {
	_, race := r.FirstWhere(func(_ evidence.CaseRun, f findings.Finding) bool {
		return f.Kind == v.Tells && (f.Kind == findings.RaceWorkgroup || f.Kind == findings.RaceStorage) && f.Region == v.Region
	})
	return race != nil && race.Reads
}

// from returns the edit with the place first that is on the line that the verdict is about, if it
// changes that line.
func (n *Nearest) from(line int) *Nearest {
	i := slices.IndexFunc(n.Parts, func(part findings.Region) bool { return part.Line == line })
	if i < 0 || n.Region.Line == line || n.Between != nil {
		return n
	}
	n.Question = strings.Replace(n.Question, fmt.Sprintf("line %d ", n.Region.Line), fmt.Sprintf("line %d ", line), 1)
	n.Region, n.Parts[i] = n.Parts[i], n.Region
	return n
}

// mending returns the reason that an edit is.
func (r *finder) mending(n *Nearest) *verdict.Reason {
	reason := &verdict.Reason{Why: verdict.ByNearest, Text: n.Question, Region: n.Region, Between: n.Between, Excerpt: r.excerpt(n.Region), Hint: n.Edit, Parts: n.Parts, Also: n.Also}
	if n.Between != nil {
		reason.Excerpt = r.gap(n.Between)
	}
	return reason
}

// word returns an element of the output as the simulator names it.
func (r *finder) word(element int) sim.Word {
	return sim.Word{Binding: r.Exercise.Output, Index: element}
}

// A sighting is a reason that was observed at an element of a case. It is vague if the shader reads
// what it needs, but does something else with it.
type sighting struct {
	*verdict.Reason
	evidence.CaseRun
	element int
	vague   bool
	direct  bool // it happened at its place: nothing was concluded from inputs
}

// observed returns the first difference that one of the examples shows; nil if none does.
func (r *finder) observed(ctx context.Context, examples []evidence.CaseRun) *sighting {
	if r.InPasses() {
		return nil // a trace shows only one pass
	}
	for _, o := range examples {
		learners, err := r.Trace(ctx, r.Source, o)
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
func (r *finder) departure(ctx context.Context, examples []evidence.CaseRun) *sighting {
	if len(examples) == 0 || byLuck(examples[0]) || r.InPasses() {
		return nil
	}
	return r.departs(ctx, examples[0])
}

// retell makes the verdict show the element of a sighting. A verdict about a finding keeps the case
// of the finding; then the reason names its own.
func (r *finder) retell(ctx context.Context, v *verdict.Verdict, seen *sighting) {
	if r.pass != "" {
		seen.Text = fmt.Sprintf("Case %s: %s", seen.Name, seen.Text)
		return // the verdict's element is one of the whole run
	}
	if v.Line > 0 {
		if v.Mismatch == nil || v.Mismatch.Case != seen.Name {
			seen.Inputs = nil
			seen.Text = fmt.Sprintf("Case %s: %s", seen.Name, seen.Text)
		}
		return
	}
	seen.Got, seen.Difference = seen.Seen.Output, evidence.Compare(seen.Seen.Output, seen.Want, seen.Allowed)
	r.Wrong, r.Mismatch = &seen.CaseRun, evidence.MismatchAt(r.Exercise, seen.CaseRun, seen.element)
	r.NoteKept(ctx)
	v.Mismatch, v.Wrong = r.Mismatch, r.stopAt(r.Mismatch.Index)
	v.Origin = r.originAt(ctx, seen.CaseRun, seen.element)
	if v.Slug == "" {
		v.Message, v.Ask = r.Mismatch.Sentence(), r.Mismatch.Question()
	}
}

// observe compares what happened to the elements with what should have happened, and returns the
// first difference.
func (r *finder) observe(ctx context.Context, o evidence.CaseRun, learners *evidence.Trace) *sighting {
	elements := tellingElements(o)
	for _, element := range elements {
		if reason := cmp.Or(r.notWritten(ctx, o, learners, element), r.builtOnOld(learners, element)); reason != nil {
			return &sighting{Reason: reason, CaseRun: o, element: element, direct: true}
		}
	}
	if byLuck(o) {
		return nil
	}
	for _, element := range elements {
		if len(learners.Writing(r.word(element))) == 0 && !learners.Cut {
			continue // it depends on its old value alone
		}
		d, err := r.differ(ctx, o, learners, element)
		if err != nil {
			return nil
		}
		if text := d.sentence(r.Exercise); text != "" {
			at, certain := r.where(ctx, learners, d)
			if base := r.sharedBase(learners, d); base.Line > 0 {
				at, certain = base, true
			}
			reason := r.reason(verdict.Dependency, at, text)
			reason.Inputs = d.pictures(r.Exercise)
			reason.Vague = !certain
			return &sighting{Reason: reason, CaseRun: o, element: element, vague: d.read}
		}
	}
	return nil
}

// truncates says that a float becomes a whole number, if that never happens in the reference.
func (r *finder) truncates() *verdict.Reason {
	reference, err := r.Exercise.Reference()
	if err != nil || len(truncations(reference.Shader())) > 0 {
		return nil
	}
	for _, span := range truncations(r.Shader) {
		at := r.Shader.Source.Region(span)
		return r.reason(verdict.ByComputing, at, fmt.Sprintf("On line %d, `%s` makes a whole number. What comes after the point is lost.", at.Line, oneLine(r.Shader.Source.Slice(span))))
	}
	return nil
}

// branches returns the conditions of a shader that compare floats, and what it selects or orders
// atomically: what follows may jump where an input hardly changes.
func branches(s *wgsl.Shader) []syntax.Span {
	var found []syntax.Span
	for x := range syntax.All[*syntax.BinaryExpr](s.File) {
		if x.Op >= syntax.OpEqual && x.Op <= syntax.OpGreaterEqual && types.Unref(s.Info.ValueType(x.X)) == types.F32 {
			found = append(found, x.Span())
		}
	}
	return found
}

// truncations returns the conversions of a shader that make whole numbers of floats.
func truncations(s *wgsl.Shader) []syntax.Span {
	var found []syntax.Span
	for call := range syntax.All[*syntax.CallExpr](s.File) {
		if len(call.Args) == 1 && s.Info.Calls[call] != nil && s.Info.Calls[call].Kind == types.ConstructCall {
			to, from := s.Info.TypeOf(call), types.Unref(s.Info.TypeOf(call.Args[0]))
			if v, ok := to.(*types.Vector); ok { // of floats, or it converts nothing
				to = v.Elem
				if f, ok := from.(*types.Vector); ok {
					from = f.Elem
				}
			}
			if from == types.F32 && (to == types.I32 || to == types.U32) {
				found = append(found, call.Span())
			}
		}
	}
	return found
}

// builtOnOld says that an element is built on what was there before the run, although it is no
// input.
func (r *finder) builtOnOld(t *evidence.Trace, element int) *verdict.Reason {
	w := r.word(element)
	i := slices.IndexFunc(t.Accesses, func(a sim.Access) bool { return t.Touches(a, w) })
	if r.Exercise.InPlace || i < 0 || t.Sites[t.Accesses[i].Site].Kind != ir.Read {
		return nil
	}
	at := t.Sites[t.Accesses[i].Site].Span
	return r.reason(verdict.Dependency, at, fmt.Sprintf("Line %d reads `%s` before anything is written there. So what was in the buffer before the run goes into the result.", at.Line, r.Output().WordName(element)))
}

// byLuck reports whether invocations disturbed each other in a case: then its values say little
// about the inputs.
func byLuck(o evidence.CaseRun) bool {
	return slices.ContainsFunc(o.Seen.Findings, func(f findings.Finding) bool {
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
func (r *finder) examples() []evidence.CaseRun {
	var wrong []evidence.CaseRun
	for _, o := range r.Outcomes {
		if o.Seen != nil && evidence.Unfinished(o.Seen) == nil && evidence.Compare(o.Seen.Output, o.Want, o.Allowed).Wrong > 0 {
			wrong = append(wrong, o)
		}
	}
	slices.SortStableFunc(wrong, func(a, b evidence.CaseRun) int { return cmp.Compare(r.Work(a.Case), r.Work(b.Case)) })
	return wrong[:min(len(wrong), mostExamples)]
}

// tellingElements returns some of the wrong elements: the first, one in the middle and the last.
// Elements that should be 0 come last, since many mistakes leave a 0.
func tellingElements(o evidence.CaseRun) []int {
	var wrong []int
	for i := range o.Want.Len() {
		if !o.Allowed.At(i).Allows(o.Seen.Output.At(i), o.Want.At(i)) {
			wrong = append(wrong, i)
		}
	}
	elements := []int{wrong[0], wrong[len(wrong)/2], wrong[len(wrong)-1]}
	slices.SortStableFunc(elements, func(a, b int) int { return zeroLast(o.Want.At(a)) - zeroLast(o.Want.At(b)) })
	return slices.Compact(elements)
}

func zeroLast(x float64) int {
	if x == 0 {
		return 1
	}
	return 0
}

// where returns the place in the source that reads a surplus input, or the loop that should have
// read a missing one. It is certain if the invocation that writes the element reads there itself.
func (r *finder) where(ctx context.Context, t *evidence.Trace, d *difference) (at findings.Region, certain bool) {
	stores := t.Touching(r.word(d.element), ir.Write)
	if (d.belongs < 0 || r.inItsPlace(ctx, d, stores)) && !d.read && d.response == nil {
		for _, w := range d.surplus {
			if reads := t.Touching(w, ir.Read); len(reads) > 0 {
				read := mostLike(reads, stores)
				own := slices.ContainsFunc(stores, func(a sim.Access) bool { return a.Workgroup == read.Workgroup && a.Invocation == read.Invocation })
				if received := lastShared(t, stores, ir.Read); !own && received != nil && r.readsAlike(ctx, d.CaseRun, w, read) {
					return t.Sites[received.Site].Span, true
				}
				return t.Sites[read.Site].Span, own
			}
		}
		for _, w := range d.missing {
			if r.Exercise.Bindings[w.Binding].Access == shader.Uniform {
				continue // nothing reads it where it is missing, and a guard may read its neighbour
			}
			for _, a := range t.Accesses {
				if t.Sites[a.Site].Kind == ir.Read && t.BindingOf(a) == w.Binding {
					if repeats(t, a) {
						return t.Sites[a.Site].Span, true // each round reads the same
					}
					return r.loopAround(t.Sites[a.Site].Span), len(r.Entry.Workgroup) == 0
				}
			}
		}
	}
	if len(stores) == 0 {
		return findings.Region{}, false
	}
	if kept := lastShared(t, stores, ir.Write); kept != nil && d.read {
		return t.Sites[kept.Site].Span, false // what it read got lost on the way through workgroup memory
	}
	return t.Sites[stores[len(stores)-1].Site].Span, false
}

// lastShared returns the last access of a kind to workgroup memory by the invocation that wrote an
// element; nil if there is none. With its last read it took what others had written.
func lastShared(t *evidence.Trace, stores []sim.Access, kind ir.AccessKind) (last *sim.Access) {
	if len(stores) == 0 {
		return nil
	}
	store := stores[len(stores)-1]
	for i, a := range t.Accesses {
		if t.BindingOf(a) < 0 && t.Sites[a.Site].Kind == kind && a.Workgroup == store.Workgroup && a.Invocation == store.Invocation {
			last = &t.Accesses[i]
		}
	}
	return last
}

// readsAlike reports whether an invocation reads an input in the reference as well: then it isn't
// the read that is wrong.
func (r *finder) readsAlike(ctx context.Context, o evidence.CaseRun, w sim.Word, read sim.Access) bool {
	right, err := r.reference(ctx, o)
	return err == nil && right.size == r.Size && slices.ContainsFunc(right.trace.Touching(w, ir.Read), func(a sim.Access) bool {
		return a.Workgroup == read.Workgroup && a.Invocation == read.Invocation
	})
}

// repeats reports whether the same invocation makes the same access again.
func repeats(t *evidence.Trace, a sim.Access) bool {
	return slices.ContainsFunc(t.Accesses, func(b sim.Access) bool {
		return b.Site == a.Site && b.Workgroup == a.Workgroup && b.Invocation == a.Invocation && b.Offset == a.Offset && b.Turn != a.Turn
	})
}

// inItsPlace reports whether the element was written by the invocation that writes it in the
// reference: then it wrote to the right place, and read in the wrong one.
func (r *finder) inItsPlace(ctx context.Context, d *difference, stores []sim.Access) bool {
	right, err := r.reference(ctx, d.CaseRun)
	if err != nil {
		return false
	}
	group, local, ok := right.writerOf(d.element)
	return ok && slices.ContainsFunc(stores, func(a sim.Access) bool { return a.Workgroup == group && a.Invocation == local })
}

// mostLike returns the read of the invocation that writes the element, or else the first in its
// workgroup, or else the first.
func mostLike(reads, stores []sim.Access) sim.Access {
	best, near := reads[0], false
	for _, store := range stores {
		for _, read := range reads {
			switch {
			case read.Workgroup != store.Workgroup:
			case read.Invocation == store.Invocation:
				return read
			case !near:
				best, near = read, true
			}
		}
	}
	return best
}

func (r *finder) reason(why verdict.Why, at findings.Region, text string) *verdict.Reason {
	return &verdict.Reason{Why: why, Text: text, Region: at, Excerpt: r.excerpt(at)}
}

func (r *finder) excerpt(at findings.Region) string {
	line, _ := r.Source.Line(at.Line)
	return at.Excerpt(line)
}
