package judge

import (
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/fence"
)

// A rule looks at the facts and returns a diagnosis, or nil. It changes nothing; the order
// below alone decides which rule wins.
type rule func(*facts) *verdict.Diagnosis

// The rules, in order. What the simulator saw comes first, unless it can also be the symptom
// of a mistake with a name: a wrong index leads out of bounds, and a fixed one lets all
// invocations write to one element.
var (
	// For shaders with wrong values.
	wrongValues = []rule{misdeclared, untouched, workgroupShape, vectorInParts, roundedWhole, workgroupRace, ownCopies, outputRace, misconceived, inHalves, everyElement, surplus, uncovered, fixedLength, misconceivedAlone, bufferRace, lostUpdate, arrivalOrder, dividedByZero, constantOutput, outOfBounds, unexplained}
	// For shaders with right values.
	rightValues = []rule{workgroupShape, vectorInParts, roundedWhole, workgroupRace, misconceived, notANumber, everyElement, surplus, bufferRace, lostUpdate, arrivalOrder, outOfBounds, featureUnused, lineNotGiven}
	// The same for shaders with several passes: no element belongs to one invocation there.
	wrongInPasses = []rule{misdeclared, untouched, vectorInParts, roundedWhole, workgroupRace, ownCopies, misconceived, inHalves, bufferRace, lostUpdate, arrivalOrder, dividedByZero, constantOutput, outOfBounds, unexplained}
	rightInPasses = []rule{vectorInParts, roundedWhole, workgroupRace, misconceived, notANumber, everyElement, bufferRace, lostUpdate, arrivalOrder, outOfBounds}
)

// first returns the first diagnosis that a rule gives. Where values are wrong, a rule that fails is
// passed over: the shader is wrong whatever the rule would say. Where they are right, the failure
// ends the check, because the rule might have found what is wrong.
func first(rules []rule, f *facts) (d *verdict.Diagnosis) {
	for _, rule := range rules {
		ask := func() { d = rule(f) }
		if f.Wrong == nil {
			ask()
		} else if fault := fence.Around(ask); f.fault == "" {
			f.fault = fault
		}
		if d != nil {
			return d
		}
	}
	return nil
}

// applyRules returns the diagnosis of a shader that ran; nil if it is right.
func (r *run) applyRules(ctx context.Context) (d *verdict.Diagnosis, err error) {
	if r.misconceptions, err = r.Exercise.Misconceptions(); err != nil {
		return nil, err
	}
	r.watchOther, r.watchAgain, r.busiest = r.watchingOthers(ctx), r.watchingAgain(ctx), r.busiestIn(ctx)
	r.denies = func(m *course.Misconception) bool { return r.input().Denies(ctx, m) }
	right, wrong := rightValues, wrongValues
	if r.InPasses() {
		right, wrong = rightInPasses, wrongInPasses
	}
	rules := right
	if r.Wrong = r.firstWrong(); r.Wrong != nil {
		r.turnTo(r.Wrong)
		r.Mismatch, rules = evidence.FirstMismatch(r.Exercise, *r.Wrong), wrong
		r.NoteKept(ctx)
	}
	d = first(rules, &r.facts)
	r.clean = d == nil
	if hidden := r.unnamed(r.clean); hidden != nil {
		d = hidden
	}
	return d, ctx.Err()
}

// firstWrong returns the smallest case with a wrong value that was watched, or else the first with
// a wrong value; nil if there is none.
func (f *facts) firstWrong() *evidence.CaseRun {
	var first *evidence.CaseRun
	watched := func(o *evidence.CaseRun) bool { return o.Seen != nil && evidence.Unfinished(o.Seen) == nil }
	for i := range f.Outcomes {
		switch o := &f.Outcomes[i]; {
		case o.CountWrong() == 0:
		case first == nil, watched(o) && (!watched(first) || f.Work(o.Case) < f.Work(first.Case)):
			first = o
		}
	}
	return first
}

// turnTo makes the verdict be about the first output that is wrong in a case.
func (r *run) turnTo(wrong *evidence.CaseRun) {
	if wrong.Difference.Wrong > 0 {
		return
	}
	i := slices.IndexFunc(wrong.Also, func(l evidence.Compared) bool { return l.Difference.Wrong > 0 })
	r.Exercise = r.Exercise.SeenFrom(i)
	for j := range r.Outcomes {
		r.Outcomes[j].Turn(i)
	}
}
