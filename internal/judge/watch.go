package judge

import (
	"cmp"
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// The bounds of what is watched. Watching costs a check no more than a driver
// takes to compile a new shader, and sees the same in few elements as in many.
const (
	mostWatched   = 1 << 14   // invocations and elements of a case, together
	mostAcross    = 1 << 19   // the same for the one case that is watched for its edges
	enoughSteps   = 1_500_000 // after these no further case is begun
	mostExplained = 1 << 19   // steps of a case in which a number is followed back
)

// watch runs the small cases on the watcher, and gives what it saw of each; nil
// for a case that nobody watched. Where the watcher cannot run the shader, no case
// is: then the values alone decide.
func (r *run) watch(ctx context.Context, cases []lesson.Case) []*shader.Result {
	seen := make([]*shader.Result, len(cases))
	program, err := r.watcher.Compile(ctx, r.source)
	if err != nil {
		r.unwatched = err
		return seen
	}
	r.watched = program
	steps := uint64(0)
	for _, i := range r.small(cases) {
		d := r.dispatch(cases[i])
		d.Watch = true
		result, err := program.Run(ctx, d)
		if err != nil {
			r.unwatched = err
			break
		}
		seen[i] = &result
		r.stuck = unfinished(&result)
		if steps += result.Steps; steps > enoughSteps || r.stuck != nil {
			break
		}
	}
	return seen
}

// small are the cases that are watched: first the smallest that goes past all
// edges, then the others, from the smallest on.
func (r *run) small(cases []lesson.Case) []int {
	var order []int
	for i, c := range cases {
		if r.work(c) <= mostWatched {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.work(cases[a]), r.work(cases[b])) })
	if across := r.across(cases); across >= 0 {
		order = slices.DeleteFunc(order, func(i int) bool { return i == across })
		order = slices.Insert(order, 0, across)
	}
	return order
}

// work is how much there is to do in a case.
func (f *facts) work(c lesson.Case) int {
	groups, size := f.workgroups(c), f.size
	work := int(groups[0]*groups[1]*groups[2]) * int(size[0]*size[1]*size[2])
	for _, b := range c.Buffers {
		work += b.Len()
	}
	return work
}

// across is the smallest case that goes past all edges; -1 where none does that is
// small enough.
func (f *facts) across(cases []lesson.Case) int {
	least := -1
	for i, c := range cases {
		if f.pastEdges(c) && f.work(c) <= mostAcross && (least < 0 || f.work(c) < f.work(cases[least])) {
			least = i
		}
	}
	return least
}

// pastEdges says whether a case takes several workgroups of the learner's size in
// each direction, the last of them not full; or, where each workgroup has a share
// of its own, several with more elements than invocations.
func (f *facts) pastEdges(c lesson.Case) bool {
	groups := f.workgroups(c)
	if f.exercise.Dispatch == lesson.Each {
		elements := 0
		for _, b := range c.Buffers {
			elements = max(elements, b.Len())
		}
		return groups[0] > 1 && elements > int(groups[0]*f.size[0]*f.size[1]*f.size[2])
	}
	for axis, n := range c.Extent {
		if n > 0 && (groups[axis] < 2 || f.size[axis] > 1 && uint32(n)%f.size[axis] == 0) {
			return false
		}
	}
	return true
}

// unfinished is the finding that a shader took all the steps that it may; nil for
// none. It is no mistake by itself: a slow shader may take as many.
func unfinished(result *shader.Result) *shader.Finding {
	if result == nil {
		return nil
	}
	for i, finding := range result.Findings {
		if finding.Kind == sim.StepLimit {
			return &result.Findings[i]
		}
	}
	return nil
}

// endless says whether the loop that a shader did not leave while it was watched has
// no end: nothing in it changes what its condition reads, and nothing leaves it. What
// only takes long is another matter.
func (f *facts) endless() bool {
	return f.stuck != nil && slices.ContainsFunc(analysis.EndlessLoops(f.shader.Info), func(condition syntax.Span) bool {
		return f.shader.Source.Position(condition.Start).Line == f.stuck.Place.Line
	})
}

// mistakes are the findings of a case that make the shader wrong.
func (f *facts) mistakes(o outcome) []shader.Finding {
	if o.seen == nil {
		return nil
	}
	var found []shader.Finding
	for _, finding := range o.seen.Findings {
		if finding.Severity == shader.SeverityError && finding.Kind != sim.StepLimit && !f.harmless(o, finding) {
			found = append(found, finding)
		}
	}
	return found
}

// harmless: two invocations with the same place in the exercise did the same work
// twice, and that changed nothing: the larger of x and 0 is the same the second
// time.
func (f *facts) harmless(o outcome, finding shader.Finding) bool {
	return finding.Kind == sim.RaceStorage && f.samePlace(o, finding) && o.difference.Wrong == 0 &&
		compare(o.seen.Output, o.want, f.exercise.Allowed(o.Case)).Wrong == 0
}

// samePlace says whether the two of a race differ only in a direction in which the
// exercise does not dispatch.
func (f *facts) samePlace(o outcome, finding shader.Finding) bool {
	if finding.Other == nil || f.exercise.Dispatch != lesson.Cover {
		return false
	}
	return f.place(o.Case, finding.Place.Workgroup, finding.Place.Invocation) ==
		f.place(o.Case, finding.Other.Workgroup, finding.Other.Invocation)
}

// place is the element that an invocation has by its number in the dispatch, in x
// and y. Where the exercise has no y and the shader numbers the invocations of a
// workgroup itself, they all stand in x.
func (f *facts) place(c lesson.Case, workgroup, invocation [3]uint32) [2]int {
	x := int(workgroup[0]*f.size[0] + invocation[0])
	if c.Extent[1] > 0 {
		return [2]int{x, int(workgroup[1]*f.size[1] + invocation[1])}
	}
	if f.asksFor("local_invocation_index") {
		inside := invocation[0] + f.size[0]*(invocation[1]+f.size[1]*invocation[2])
		x = int(workgroup[0]*f.size[0]*f.size[1]*f.size[2] + inside)
	}
	return [2]int{x, 0}
}

// writers are the places of the invocations that wrote in a case.
func (f *facts) writers(o outcome) [][2]int {
	if o.seen == nil {
		return nil
	}
	groups, size := f.workgroups(o.Case), f.size
	invocations := size[0] * size[1] * size[2]
	var places [][2]int
	for i, wrote := range o.seen.Wrote {
		if !wrote {
			continue
		}
		group, local := uint32(i)/invocations, uint32(i)%invocations
		places = append(places, f.place(o.Case,
			[3]uint32{group % groups[0], group / groups[0] % groups[1], group / groups[0] / groups[1]},
			[3]uint32{local % size[0], local / size[0] % size[1], local / size[0] / size[1]}))
	}
	return places
}
