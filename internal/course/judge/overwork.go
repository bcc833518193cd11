package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// stepFactor is how many times the steps of the reference are too many if the exercise sets no
// limit: more than any right way needs.
const stepFactor = 50

// leastFactor is the same for a workgroup so small that half of its invocations are fewer.
const leastFactor = 20

// manyElements is how many elements a case has at least in which steps are compared. In a smaller
// one, the surplus invocations count too much.
const manyElements = 256

// manyShared is the same for the elements that a workgroup shares.
const manyShared = 128

// mostSteps returns how many times the steps of the reference are too many in a case; 0 if any
// number may be right. Without a limit of its own, an exercise needs an invocation for each
// element, or shares the elements among those of a workgroup: then half as many times as it has
// invocations are too many.
func (f *facts) mostSteps(o evidence.CaseRun) uint64 {
	switch {
	case f.Exercise.Dispatch == course.Each && f.share(o.Case) >= manyShared:
		return uint64(min(stepFactor, max(leastFactor, f.Size[0]*f.Size[1]*f.Size[2]/2)))
	case o.Want.Len() < manyElements:
		return 0
	case o.MostSteps > 0:
		return uint64(o.MostSteps)
	case f.Exercise.Dispatch == course.Cover && o.Case.Covered() == o.Want.Len():
		return stepFactor
	}
	return 0 // there is no telling which invocation is for which element
}

// share returns how many elements of the largest buffer there are for each workgroup.
func (f *facts) share(c course.Case) int {
	largest, groups := 0, f.Workgroups(c)
	for _, b := range c.Buffers {
		largest = max(largest, b.Len())
	}
	return largest / int(max(1, groups[0]*groups[1]*groups[2]))
}

// overworked returns the largest watched case with too many steps, and its ratio to the
// reference's steps. It returns nil if no case has too many. A case that the watcher did not finish
// takes at least the steps that were counted.
func (f *facts) overworked() (worst *evidence.CaseRun, times uint64) {
	for i, o := range f.Outcomes {
		most := f.mostSteps(o)
		if most == 0 || o.Seen == nil || o.Reference == 0 || o.Seen.Steps/o.Reference < most {
			continue
		}
		if worst == nil || o.Want.Len() > worst.Want.Len() {
			worst, times = &f.Outcomes[i], o.Seen.Steps/o.Reference
		}
	}
	return worst, times
}

// everyElement diagnoses invocations that all do the work of all. Right values aren't enough then.
// What the watcher saw go wrong is told first, unless the exercise has words for the work.
func everyElement(f *facts) *verdict.Diagnosis {
	o, times := f.overworked()
	_, race := f.FirstOf(findings.RaceStorage)
	_, seen := f.FirstWhere(func(evidence.CaseRun, findings.Finding) bool { return true })
	switch {
	case o == nil:
		return nil
	case f.Wrong == nil && (seen == nil || f.Exercise.TooMuchWork != ""):
		d := f.tooMuchWork()
		d.Why = f.tooManySteps(o, times) + d.Why
		if loop := f.busiest(o.Case); loop != nil {
			f.point(d, loop)
		}
		return d
	case race == nil || f.Exercise.Dispatch == course.Each:
		return nil
	}
	d := f.inBuffer(race)
	d.Message, d.Try = "Every invocation seems to do the work of all, so each element is read and written again and again.", ""
	d.Why = f.tooManySteps(o, times) + "Nothing orders the invocations of two workgroups, not even a barrier."
	d.Ask = "Which element is the one of this invocation?"
	return d
}

// tooManySteps says how many times the reference's steps the shader takes in a case. Those of an
// exact run, by which times was counted, are fewer than those of a watched one. A run that was
// stopped would have taken more.
func (f *facts) tooManySteps(o *evidence.CaseRun, times uint64) string {
	if source, err := f.Exercise.Standard(); err == nil {
		if watched, err := f.watchOther(source, o.Case); err == nil && watched.Steps > 0 {
			times = o.Seen.Steps / watched.Steps
		}
	}
	return fmt.Sprintf("Your shader takes at least %s times as many steps as the reference (%s). ", english.Thousands(int(times)), o.Name)
}

// tooMuchWork returns the diagnosis of a right shader that takes too many steps, in the exercise's
// own words if it has any.
func (f *facts) tooMuchWork() *verdict.Diagnosis {
	if f.Exercise.TooMuchWork != "" {
		return f.named(f.Exercise.TooMuchWork)
	}
	d := &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "every-element",
		Message: "The values are right, but each invocation seems to do the work of all.",
		Why:     "A GPU is fast because its invocations share the work. If each does all of it, more invocations take longer, not less.",
		Ask:     "Which elements are the ones of this invocation, and why would it look at any other?",
	}
	if f.Exercise.Dispatch == course.Each {
		d.Message = "The values are right, but each invocation of a workgroup seems to do the work of all."
		d.Ask = "How can the invocations of a workgroup share the elements, so that each looks at a few of them?"
	}
	return d
}

// busiestIn returns a function that finds the outermost loop of main in which the first workgroup
// of a case spends most of its steps; nil if it spends few of them in loops.
func (r *run) busiestIn(ctx context.Context) func(course.Case) *findings.Finding {
	return func(c course.Case) *findings.Finding {
		counter, err := simulator.Count(ctx, r.Source, r.Dispatch(c), mostCounted)
		if err != nil {
			return nil
		}
		if _, err := counter.Count(ctx, sim.Sample{Weight: 1}); err != nil {
			return nil
		}
		total := 0.0
		lines := counter.Counts().Lines
		for _, line := range lines {
			total += line.Runs
		}
		var busiest findings.Region
		most := total / 4 // a function that a loop calls has lines of its own
		for n := range syntax.All[syntax.Stmt](r.Shader.File) {
			switch n.(type) {
			case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
				at, runs := r.Shader.Source.Region(n.Span()), 0.0
				for _, line := range lines {
					if at.Line <= line.Line && line.Line <= at.EndLine {
						runs += line.Runs
					}
				}
				if runs > most { // the outer one of two comes first
					busiest, most = at, runs
				}
			}
		}
		if busiest.Line == 0 {
			return nil
		}
		return &findings.Finding{Location: findings.Location{Region: r.inMain(busiest)}}
	}
}

// inMain returns the loop of main that calls the function with a loop; the loop itself if main has
// it, or calls the function outside of loops.
func (f *facts) inMain(loop findings.Region) findings.Region {
	main := f.Shader.Source.Region(f.Entry.Decl.Span())
	if main.Line <= loop.Line && loop.Line <= main.EndLine {
		return loop
	}
	around := loop
	syntax.Walk(f.Entry.Decl.Body, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
			calls := slices.ContainsFunc(f.Entry.Calls, func(c types.CallSite) bool { return n.Span().Contains(c.Call.Span()) })
			if calls && around == loop {
				around = f.Shader.Source.Region(n.Span())
			}
			return false
		}
		return true
	}, nil)
	return around
}

// mostCounted limits the steps that an Effort counts of a shader: a tenth of a second.
const mostCounted = 8 << 20

// An Effort is the number of steps that a shader takes in a case, as the simulator counts them.
type Effort struct {
	Steps   uint64
	AtLeast bool // the count was stopped: it takes more
}

// EffortOf estimates the effort of a shader in a case that is too large to run in the simulator.
func EffortOf(ctx context.Context, e *course.Exercise, source *shader.Source, c course.Case) (Effort, error) {
	entry, err := source.Entry(sim.Adapter())
	if err != nil {
		return Effort{}, err
	}
	d := shader.Dispatch{Workgroups: e.Dispatch.Workgroups(c.Extent, entry.WorkgroupSize), Buffers: c.Buffers, Output: e.Output}
	steps, capped, err := simulator.Steps(ctx, source, d, mostCounted)
	return Effort{steps, capped}, err
}
