package reasons

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
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
	for _, o := range r.orBroken(examples) {
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

// recognised compares the shader with that of the misconception that was diagnosed, and returns the
// steps that make the mistake, the most likely first.
func (r *finder) recognised(ctx context.Context, examples []evidence.CaseRun, slug string) []sim.Suspect {
	known, err := r.Exercise.Misconceptions()
	i := slices.IndexFunc(known, func(m *course.Misconception) bool { return m.Slug == slug })
	if err != nil || i < 0 {
		return nil
	}
	found, _ := r.stepsOf(ctx, examples, known[i])
	return r.ownOnly(found)
}

// Denies reports whether the runs of a shader contradict a misconception that leaves the same
// values: step by step they can be compared, and no step of the shader makes the mistake.
func (in *Input) Denies(ctx context.Context, m *course.Misconception) bool {
	r := &finder{Input: *in}
	found, compared := r.stepsOf(ctx, r.examples(), m)
	return compared && len(found) == 0
}

// stepsOf returns the steps of the shader that make a known mistake, and whether a run of both
// could be compared: a mistake that calculates nothing of its own leaves no trace but its values.
func (r *finder) stepsOf(ctx context.Context, examples []evidence.CaseRun, m *course.Misconception) (found []sim.Suspect, compared bool) {
	if r.InPasses() {
		return nil, false // a run shows only one pass
	}
	learners, err := sim.CompileEntry(r.Source, nil, false)
	if err != nil {
		return nil, false
	}
	source, ok := m.In(r.Size)
	if !ok {
		return nil, false
	}
	lines := r.ownLines(source.Text)
	for _, o := range r.orBroken(examples) {
		mistaken := r.dispatched(o, r.divided(source))
		if r.breathe(); races(o) || len(mistaken) == 0 {
			continue
		}
		found, calculated, err := learners.Recognised(ctx, r.Workgroups(o.Case), mistaken[0], lines, r.right(o), bound(o.Buffers))
		compared = compared || err == nil && calculated
		if err == nil && len(found) > 0 {
			return found, true
		}
	}
	return nil, compared
}

// ownLines returns the numbers of the lines of a wrong shader that no right one has.
func (r *finder) ownLines(text string) map[int]bool {
	sources, err := r.Exercise.RightIn(r.Size)
	if err != nil {
		return nil
	}
	right := map[string]bool{}
	for _, source := range sources {
		for line := range strings.Lines(source.Text) {
			right[strings.TrimSpace(line)] = true
		}
	}
	own, number := map[int]bool{}, 0
	for line := range strings.Lines(text) {
		number++
		own[number] = !right[strings.TrimSpace(line)]
	}
	return own
}

// orBroken returns the examples, or if there are none, the smallest cases in which something else
// went wrong.
func (r *finder) orBroken(examples []evidence.CaseRun) []evidence.CaseRun {
	if len(examples) > 0 {
		return examples
	}
	var broken []evidence.CaseRun
	for _, o := range r.Outcomes {
		if !r.Right(o) && o.Seen != nil && evidence.Unfinished(o.Seen) == nil {
			broken = append(broken, o)
		}
	}
	slices.SortStableFunc(broken, func(a, b evidence.CaseRun) int { return cmp.Compare(r.Work(a.Case), r.Work(b.Case)) })
	return broken[:min(len(broken), mostExamples)]
}

// right returns the right shaders as they run in a case.
func (r *finder) right(o evidence.CaseRun) []sim.Dispatched {
	return r.dispatched(o, r.rights()...)
}

// standard returns the reference, with the learner's subgroups.
func (r *finder) standard() (*shader.Source, error) {
	reference, err := r.Exercise.Standard()
	if err != nil {
		return nil, err
	}
	return r.divided(reference), nil
}

// rights returns the right shaders in workgroups of the learner's size, and with the learner's
// subgroups.
func (r *finder) rights() []*shader.Source {
	sources, err := r.Exercise.RightIn(r.Size)
	if err != nil {
		return nil
	}
	sources = slices.Clone(sources)
	for i, source := range sources {
		sources[i] = r.divided(source)
	}
	return sources
}

// divided returns a shader that the simulator divides into subgroups as the learner's comment says.
func (r *finder) divided(source *shader.Source) *shader.Source {
	comment := sim.DivisionComment(r.Source.Text)
	if comment == "" {
		return source
	}
	return shader.Read(source.Name, source.Text+"\n"+comment+"\n")
}

// dispatched returns other shaders as they run in a case, without those that can't.
func (r *finder) dispatched(o evidence.CaseRun, sources ...*shader.Source) (all []sim.Dispatched) {
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
