package reasons

import (
	"cmp"
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/judge/evidence"
	"github.com/wgslab/wgslab/internal/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// suspects compares the shader with the right ones, and returns the steps at which it departs from
// the most alike of them, the most likely first.
func (r *finder) suspects(ctx context.Context, examples []evidence.CaseRun) []sim.Suspect {
	if r.InPasses() {
		return nil // a run shows only one pass
	}
	learners, err := sim.CompileEntry(r.Source, nil, false)
	if err != nil {
		return nil
	}
	if len(examples) == 0 {
		for _, o := range r.Outcomes {
			if !r.Right(o) && o.Seen != nil && evidence.Unfinished(o.Seen) == nil {
				examples = append(examples, o)
			}
		}
		slices.SortStableFunc(examples, func(a, b evidence.CaseRun) int { return cmp.Compare(r.Work(a.Case), r.Work(b.Case)) })
		examples = examples[:min(len(examples), mostExamples)]
	}
	for _, o := range examples {
		if r.breathe(); races(o) {
			continue // its values come from the order of the invocations
		}
		var words []sim.Word
		if evidence.Compare(o.Seen.Output, o.Want, o.Allowed).Wrong > 0 {
			for _, element := range tellingElements(o) {
				words = append(words, r.word(element))
			}
		}
		found, err := learners.Suspects(ctx, r.Workgroups(o.Case), r.right(o), bound(o.Buffers), words)
		if err == nil && len(found) > 0 {
			return r.ownOnly(found)
		}
	}
	return nil
}

// right returns the right shaders as they run in a case.
func (r *finder) right(o evidence.CaseRun) []sim.Dispatched {
	sources, err := r.Exercise.RightIn(r.Size)
	if err != nil {
		return nil
	}
	var all []sim.Dispatched
	for _, source := range sources {
		program, err := sim.CompileEntry(source, nil, false)
		if err != nil {
			continue
		}
		if due, err := r.Exercise.Dispatched(o.Case, source); err == nil {
			all = append(all, sim.Dispatched{Program: program, Workgroups: due.Workgroups})
		}
	}
	return all
}

// mostSuspects is how many suspects count: the first is mostly the place.
const mostSuspects = 3

// ownOnly returns the first suspects, one for each line, without those on lines that the exercise
// gave to the learner.
func (r *finder) ownOnly(found []sim.Suspect) (own []sim.Suspect) {
	for _, s := range found {
		listed := slices.ContainsFunc(own, func(o sim.Suspect) bool { return o.Place.Line == s.Place.Line })
		if !listed && !r.given(s.Place) && len(own) < mostSuspects {
			own = append(own, s)
		}
	}
	return own
}

// races reports whether invocations of a workgroup disturb each other in a case.
func races(o evidence.CaseRun) bool {
	return slices.ContainsFunc(o.Seen.Findings, func(f findings.Finding) bool {
		return f.IsError() && (f.Kind == findings.RaceWorkgroup || f.Kind == findings.DivergentBarrier)
	})
}
