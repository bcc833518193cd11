package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/reasons"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// told turns a finding into a diagnosis.
func (f *facts) told(finding *findings.Finding, slug, why, ask string) *verdict.Diagnosis {
	d := &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: slug, Message: english.Sentence(finding.Message), Try: finding.Hint, Why: why, Ask: ask, Tells: finding.Kind}
	f.point(d, finding)
	return d
}

// showing adds the first wrong element of a finding's case to a diagnosis about the finding.
func (f *facts) showing(d *verdict.Diagnosis, finding *findings.Finding) *verdict.Diagnosis {
	for _, o := range f.Outcomes {
		if o.Name == finding.Case {
			d.Mismatch = evidence.FirstMismatch(f.Exercise, o)
		}
	}
	return d
}

// point adds the places of a finding to a diagnosis, in source order.
func (f *facts) point(d *verdict.Diagnosis, finding *findings.Finding) {
	at := finding.Region
	d.Region = at
	spans := []findings.Region{at}
	if other := finding.Other(); other != nil && other.Line > 0 && other.Line != at.Line {
		spans = append(spans, other.Region)
	}
	slices.SortFunc(spans, func(a, b findings.Region) int { return cmp.Compare(a.Line, b.Line) })
	var excerpts []string
	for _, s := range spans {
		if line, _ := f.Source.Line(s.Line); len(spans) == 1 || strings.TrimSpace(line) != "}" { // the end of a function shows nothing
			excerpts = append(excerpts, s.Excerpt(line))
		}
	}
	d.Excerpt = strings.Join(excerpts, "\n")
}

// divergent diagnoses a barrier that only some invocations of a workgroup reach.
func divergent(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstOf(findings.DivergentBarrier)
	if finding == nil {
		return nil
	}
	known := lessonOf(findings.NonUniformControlFlow)
	return f.told(finding, known.slug, known.why, known.ask)
}

// workgroupRace diagnoses two invocations that use the same place in workgroup memory in no fixed
// order.
func workgroupRace(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstOf(findings.RaceWorkgroup)
	if finding == nil {
		return nil
	}
	ask := reasons.WaitingQuestion(finding)
	if around := f.someOnly(finding); around != nil {
		ask = fmt.Sprintf("Some invocations never enter the `if` on line %d, so no barrier can be inside it. How can all of them wait for each other?", f.Shader.Source.Region(around.Span()).Line)
	}
	d := f.told(finding, missingBarrier, f.byLuck()+barrierWhy, cmp.Or(ask, barrierAsk))
	d.General = ask == ""
	return f.showing(d, finding)
}

// someOnly returns the if that only some invocations of a workgroup enter, if a barrier between the
// sides of a race would be inside it: their loop is, or they are statements of it. It returns nil
// if a barrier can be there.
func (f *facts) someOnly(race *findings.Finding) (around *syntax.IfStmt) {
	loops := race.NextRound || race.Line == race.Other().Line
	inside := !loops
	syntax.Walk(f.Shader.File, func(n syntax.Node) bool {
		if at := n.Span(); !at.Contains(race.Span) || !at.Contains(race.Other().Span) {
			return false
		}
		switch n := n.(type) {
		case *syntax.IfStmt:
			if then := n.Then.Span(); around == nil && f.selects(n.Cond) && then.Contains(race.Span) && then.Contains(race.Other().Span) {
				around = n
			}
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
			inside = inside || around != nil
		}
		return true
	}, nil)
	if !inside {
		return nil
	}
	return around
}

const (
	missingBarrier = "missing-barrier"
	barrierWhy     = "The invocations of a workgroup don't run in lockstep. An invocation may read what another wrote only after a workgroupBarrier, and may overwrite it only after everyone has read it."
	barrierAsk     = "Go through your shader phase by phase. Which invocations write, which ones read, and what makes the readers wait?"
)

// byLuck returns the start of an explanation if the values do not show the mistake.
func (f *facts) byLuck() string {
	if f.Wrong == nil {
		return "The values came out right here, but only by luck. "
	}
	return ""
}

// vectorInParts diagnoses invocations that write different components of one vector. No barrier
// helps.
func vectorInParts(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstWhere(func(_ evidence.CaseRun, finding findings.Finding) bool { return finding.Parts })
	if finding == nil {
		return nil
	}
	return f.told(finding, "vector-in-parts",
		f.byLuck()+"Some GPUs can't write a single component. They read the vector, change one component and write all of it back. What another invocation wrote in between is lost.",
		"Where could each invocation write that no other invocation shares, not even as part of a vector?")
}

// roundedWhole diagnoses an index or a bound of a test's shader that a float has rounded.
func roundedWhole(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstOf(findings.RoundedWhole)
	if finding == nil {
		return nil
	}
	return f.showing(f.told(finding, string(findings.RoundedWhole), f.byLuck()+"A float can't hold every whole number, so the shader uses another element than it means.",
		"Which type holds every index that there can be?"), finding)
}

// notANumber diagnoses an operation that makes NaN of its operands, as WGSL allows, where this
// device makes a number that is right: pow of a negative base, for instance (WGSL, pow).
func notANumber(f *facts) *verdict.Diagnosis {
	for _, o := range f.Outcomes {
		if o.Seen == nil || evidence.Unfinished(o.Seen) != nil || !f.leavesNaN(o) {
			continue
		}
		if i := slices.IndexFunc(o.Seen.Findings, func(finding findings.Finding) bool { return finding.Kind == findings.NotANumber }); i >= 0 {
			return f.told(&o.Seen.Findings[i], "not-a-number",
				"Here the values came out right, but WGSL promises no number for these operands, and many GPUs make none.",
				"How else can you write this calculation, so that its operands are always allowed?")
		}
	}
	return nil
}

// leavesNaN reports whether a watched case left NaN where a number is due.
func (f *facts) leavesNaN(o evidence.CaseRun) bool {
	for k, due := range o.All() {
		left := o.Seen.All()[k].Output
		for i := range due.Want.Len() {
			if isNumber(due.Want.At(i)) && math.IsNaN(left.At(i)) {
				return true
			}
		}
	}
	return false
}

// outputRace diagnoses an invocation that reads an output element which another one writes. The
// exercise never requires such a read, and its value depends on luck.
func outputRace(f *facts) *verdict.Diagnosis {
	if f.Exercise.Updates() {
		return nil
	}
	_, finding := f.FirstWhere(func(_ evidence.CaseRun, finding findings.Finding) bool {
		return finding.Kind == findings.RaceStorage && finding.Reads
	})
	return f.inBuffer(finding)
}

// bufferRace diagnoses a race in a buffer, as workgroupRace does for workgroup memory.
func bufferRace(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstOf(findings.RaceStorage)
	return f.inBuffer(finding)
}

func (f *facts) inBuffer(finding *findings.Finding) *verdict.Diagnosis {
	if finding == nil {
		return nil
	}
	finding = f.widest(finding)
	why := "One invocation reads what another writes, and nothing decides which comes first."
	ask := fmt.Sprintf("Which invocations read %s, which write it, and which have to wait for which?", element(finding))
	if !finding.Reads {
		why = "Several invocations write to the same element, and nothing decides whose value stays."
		ask = fmt.Sprintf("Work out the index for each: should both of them write %s?", element(finding))
	}
	if finding.Reads && finding.Workgroup != finding.Other().Workgroup {
		ask = fmt.Sprintf("Which value of %s do you need: the one from before the run, or the new one?", element(finding))
	}
	if finding.Updates {
		why = "Line %d reads the element, changes the value and writes it back: three steps. Another invocation may come between them, and what it wrote is lost."
		why = fmt.Sprintf(why, finding.Location.Line)
		ask = fmt.Sprintf("Which function reads, changes and writes %s in one step?", element(finding))
		if f.holdsFloats(finding.Variable) { // WGSL has no atomic function for them
			ask = fmt.Sprintf("Which one invocation should write %s, and how do the others' values get to it?", element(finding))
		}
	}
	guard := f.guardOf(finding)
	chosen := guard != nil && !finding.Reads && f.oneElement(finding) && f.within(guard, finding)
	if chosen {
		ask = fmt.Sprintf("Which of the two should the condition on line %d let through?", f.Shader.Source.Region(guard.Span()).Line)
	}
	d := f.told(finding, "race",
		f.byLuck()+why, ask)
	switch {
	case finding.Updates:
		f.updated(d, finding)
	case finding.Reads && f.Exercise.InPlace:
		f.apart(d, finding)
	}
	if chosen {
		f.pointAt(d, guard)
	}
	return f.showing(d, finding)
}

// within reports whether a finding's place is in the body of the if that has a condition. An if
// before it that returns keeps to the elements that there are.
func (f *facts) within(condition syntax.Expr, finding *findings.Finding) bool {
	for s := range syntax.All[*syntax.IfStmt](f.Shader.File) {
		if s.Cond == condition {
			return s.Then.Span().Contains(finding.Span)
		}
	}
	return false
}

// oneElement reports whether the index at both sides of a race is a number: then the condition that
// lets invocations write decides, and not the index.
func (f *facts) oneElement(race *findings.Finding) bool {
	for index := range syntax.All[*syntax.IndexExpr](f.Shader.File) {
		if at := index.Span(); at.Contains(race.Span) || race.Span.Contains(at) {
			_, number := syntax.Unparen(index.Index).(*syntax.Literal)
			return number && race.Line == race.Other().Line
		}
	}
	return false
}

// apart says of a race in a task that works in place who may read and write an element. Where each
// element has an invocation of its own, no barrier helps.
func (f *facts) apart(d *verdict.Diagnosis, race *findings.Finding) {
	switch {
	case f.Exercise.Dispatch == course.Cover:
		what, _, _ := strings.Cut(race.Message, "; ")
		d.Message = english.Sentence(what)
		d.Try = "The task works in place. So let one invocation read and write an element, and no other."
	case race.Workgroup != race.Other().Workgroup:
		d.Try = "The task works in place. So let one workgroup read and write an element, and no other."
	}
}

// updated says of a race within an update what to do about it. An exercise of a lesson asks for the
// function that does it in one step, so only a test of another shader names it.
func (f *facts) updated(d *verdict.Diagnosis, race *findings.Finding) {
	what, _, _ := strings.Cut(race.Message, "; ")
	d.Message = english.Sentence(what)
	if f.Exercise.Lesson > 0 {
		d.Try = ""
	}
}

// holdsFloats reports whether a buffer of the host holds floats.
func (f *facts) holdsFloats(name string) bool {
	for _, b := range f.Exercise.Bindings {
		if b.Name == name {
			return b.Element() == shader.F32
		}
	}
	return false
}

// lostUpdate diagnoses an update in two steps, between which another invocation's is lost.
func lostUpdate(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstOf(findings.LostUpdate)
	if finding == nil {
		return nil
	}
	why := "Reading atomically and writing atomically are two steps. Another invocation may come between them, and the store undoes what it wrote."
	ask := fmt.Sprintf("Which atomic function reads, changes and writes %s in one step?", element(finding))
	return f.showing(f.told(finding, string(findings.LostUpdate), f.byLuck()+why, ask), finding)
}

// arrivalOrder diagnoses a result that depends on which invocation comes first at an atomic
// function.
func arrivalOrder(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstOf(findings.ArrivalOrder)
	if finding == nil {
		return nil
	}
	why := "An atomic function never loses anything, but it puts nothing in order: the invocations come as the GPU starts them."
	ask := fmt.Sprintf("Before the run, what tells you which value belongs in %s?", element(finding))
	return f.told(finding, string(findings.ArrivalOrder), f.byLuck()+why, ask)
}

// widest returns the race between two workgroups at the places of a race within one, if a case
// shows it: a barrier helps only within a workgroup.
func (f *facts) widest(race *findings.Finding) *findings.Finding {
	_, wide := f.FirstWhere(func(_ evidence.CaseRun, other findings.Finding) bool {
		return other.Kind == race.Kind && other.Region == race.Region && other.Other().Region == race.Other().Region &&
			other.Workgroup != other.Other().Workgroup
	})
	return cmp.Or(wide, race)
}

// workgroupShape diagnoses a workgroup with a second dimension in an exercise with one. Several
// invocations then have the same x and race with each other.
func workgroupShape(f *facts) *verdict.Diagnosis {
	if f.Size[1]*f.Size[2] == 1 || f.inRows() || f.AsksFor("local_invocation_index") {
		return nil
	}
	races := func(_ evidence.CaseRun, finding findings.Finding) bool {
		return finding.Kind == findings.RaceWorkgroup || finding.Kind == findings.RaceStorage
	}
	_, finding := f.FirstWhere(races)
	_, other := f.FirstWhere(func(o evidence.CaseRun, finding findings.Finding) bool { return races(o, finding) && !f.twins(finding) })
	if finding == nil || other != nil {
		return nil
	}
	return f.told(finding, "workgroup-shape",
		fmt.Sprintf("Your workgroup has %d × %d × %d invocations, so several have the same x. The host dispatches in one dimension here, and your shader tells invocations apart by x alone. So they do the same work on the same elements more than once.", f.Size[0], f.Size[1], f.Size[2]),
		"How many invocations should work on one element?")
}

// twins reports whether the two invocations of a race have the same x.
func (f *facts) twins(finding findings.Finding) bool {
	a, b := finding.Location, finding.Other()
	return b != nil && a.Workgroup == b.Workgroup && a.Invocation[0] == b.Invocation[0]
}

// outOfBounds diagnoses an out-of-bounds index that no missing guard explains.
func outOfBounds(f *facts) *verdict.Diagnosis {
	_, finding := f.FirstOf(findings.OutOfBoundsWrite, findings.OutOfBoundsRead)
	if finding == nil {
		return nil
	}
	why := "The memory after an array isn't yours, and WebGPU hides it. Such a read gives 0 or some other element of the array, depending on the adapter. So the same shader gives different numbers on another machine."
	does := "need"
	if !finding.IsError() {
		why = "No value is wrong here, but the task asks you to read inside the arrays only. WebGPU spends time on hiding such a read, and in other APIs it may end the program."
	}
	if finding.Kind == findings.OutOfBoundsWrite {
		does = "have to write"
		why = "The memory after an array isn't yours. WebGPU drops such a write or redirects it to some other element of the array, depending on the adapter."
	}
	ask := fmt.Sprintf("Work out by hand which element the index on line %d gives. Which one, if any, does that invocation %s?", finding.Location.Line, does)
	return f.showing(f.told(finding, string(finding.Kind), why, ask), finding)
}

// dividedByZero diagnoses a division of whole numbers by 0 of which the driver makes another number
// than WGSL defines (https://www.w3.org/TR/WGSL/#integer-value-expressions): everything that the
// simulator tells about such a run is about other values.
func dividedByZero(f *facts) *verdict.Diagnosis {
	for _, o := range f.ShownFirst() {
		if o.Seen == nil || evidence.Unfinished(o.Seen) != nil || o.Difference.Wrong == 0 {
			continue
		}
		first := o.Difference.First
		i := slices.IndexFunc(o.Seen.Findings, func(found findings.Finding) bool {
			return found.Kind == findings.DivisionByZero && strings.Contains(found.Message, "for integers")
		})
		if i < 0 || o.Allowed.At(first).Allows(o.Seen.Output.At(first), o.Got.At(first)) {
			continue
		}
		d := f.told(&o.Seen.Findings[i], string(findings.DivisionByZero),
			"This device makes another number of it. So your result depends on the device.",
			"Which invocations divide by 0, and what should they do instead?")
		return f.showing(d, &o.Seen.Findings[i])
	}
	return nil
}

// ownCopies diagnoses an array that the invocations use as if they shared it. The watched case with
// the most steps has to show it: in a small one, few invocations may write, each elsewhere.
func ownCopies(f *facts) *verdict.Diagnosis {
	var most *shader.Result
	for _, o := range f.Outcomes {
		if o.Seen != nil && (most == nil || o.Seen.Steps > most.Steps) {
			most = o.Seen
		}
	}
	if ownCopy(most) == nil {
		return nil
	}
	var finding *findings.Finding
	for _, o := range f.ShownFirst() {
		finding = cmp.Or(finding, ownCopy(o.Seen))
	}
	d := f.told(finding, string(findings.OwnCopy),
		"A variable in a function, or in private memory, exists once for each invocation. What one writes there, no other can see.",
		fmt.Sprintf("Which invocations should see %s?", element(finding)))
	return f.showing(d, finding)
}

func ownCopy(seen *shader.Result) *findings.Finding {
	if seen == nil {
		return nil
	}
	i := slices.IndexFunc(seen.Findings, func(found findings.Finding) bool { return found.Kind == findings.OwnCopy })
	if i < 0 {
		return nil
	}
	return &seen.Findings[i]
}

// element names the element of a finding.
func element(finding *findings.Finding) string {
	if finding.Index < 0 {
		return "`" + finding.Variable + "`"
	}
	return fmt.Sprintf("`%s[%d]`", finding.Variable, finding.Index)
}

// telling lists the kinds in the order in which they help: mistakes first, then the sources of
// strange numbers.
var telling = []findings.Kind{
	findings.DivergentBarrier, findings.RaceWorkgroup, findings.RaceStorage, findings.LostUpdate, findings.ArrivalOrder, findings.OutOfBoundsWrite, findings.OutOfBoundsRead,
	findings.OwnCopy, findings.NotANumber, findings.DivisionByZero, findings.Overflow, findings.Subnormal, findings.UnwrittenRead, findings.Wrapped, findings.StepLimit,
}

// findings returns everything seen in a wrong shader, each finding once per place.
func (f *facts) findings() []findings.Finding {
	var all []findings.Finding
	for _, o := range f.ShownFirst() {
		if o.Seen != nil {
			all = append(all, o.Seen.Findings...)
		}
	}
	for i := range all {
		if all[i].Kind == findings.RaceStorage && all[i].IsError() {
			all[i] = *f.widest(&all[i])
		}
	}
	slices.SortStableFunc(all, func(a, b findings.Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(slices.Index(telling, a.Kind), slices.Index(telling, b.Kind)))
	})
	type once struct {
		kind         findings.Kind
		line, column int
	}
	told := map[once]bool{}
	listed := []findings.Finding{}
	for _, finding := range all {
		key := once{finding.Kind, finding.Location.Line, finding.Location.Column}
		if !told[key] && !f.misnames(finding.Variable) {
			told[key] = true
			listed = append(listed, finding)
		}
	}
	return listed
}
