package judge

import (
	"cmp"
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// The limits of watching. Watching costs a check no more time than a driver needs to compile a new
// shader, and a few elements show as much as many.
const (
	mostWatched   = 1 << 14   // invocations plus elements of a case
	mostAcross    = 1 << 19   // the same for the one case that covers the edges
	enoughSteps   = 1_500_000 // after these, no further case starts
	mostExplained = 1 << 19   // steps of a case in which origin traces a number
)

// watch runs the small cases on the watcher and returns what it saw of each, or nil for a case
// that it did not run. If the watcher cannot run the shader, all are nil; then the values alone
// decide.
func (r *run) watch(ctx context.Context, cases []course.Case) []*shader.Result {
	seen := make([]*shader.Result, len(cases))
	program, err := r.exercise.Compile(ctx, r.watcher, r.source)
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
		result.Findings = slices.Clone(result.Findings)
		for j := range result.Findings {
			result.Findings[j].Case = cases[i].Name
		}
		seen[i] = &result
		r.stuck = unfinished(&result)
		if steps += result.Steps; steps > enoughSteps || r.stuck != nil {
			break
		}
	}
	return seen
}

// small returns the cases to watch: first the smallest that goes past all edges, then the others
// by size.
func (r *run) small(cases []course.Case) []int {
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

// work returns the amount of work in a case.
func (f *facts) work(c course.Case) int {
	groups, size := f.workgroups(c), f.size
	work := int(groups[0]*groups[1]*groups[2]) * int(size[0]*size[1]*size[2])
	for i, pass := range f.exercise.Later {
		entry, _ := f.module.Entry(pass.Entry)
		size := entry.WorkgroupSize
		groups := pass.Dispatch.Workgroups(c.Later[i], size)
		work += int(groups[0]*groups[1]*groups[2]) * int(size[0]*size[1]*size[2])
	}
	for _, b := range c.Buffers {
		work += b.Len()
	}
	return work
}

// inPasses reports whether the exercise dispatches several entry points.
func (f *facts) inPasses() bool { return len(f.exercise.Later) > 0 }

// across returns the smallest case that goes past all edges, or -1 if none is small enough.
func (f *facts) across(cases []course.Case) int {
	least := -1
	for i, c := range cases {
		if f.pastEdges(c) && f.work(c) <= mostAcross && (least < 0 || f.work(c) < f.work(cases[least])) {
			least = i
		}
	}
	return least
}

// pastEdges reports whether a case needs several workgroups of the learner's size in each
// direction, with the last one not full. If each workgroup has its own share, the case needs
// several workgroups and more elements than invocations.
func (f *facts) pastEdges(c course.Case) bool {
	groups := f.workgroups(c)
	if f.exercise.Dispatch == course.Each {
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

// unfinished returns the finding that a shader used up its step limit; nil if there is none. That
// alone is no mistake: a slow shader may need as many steps.
func unfinished(result *shader.Result) *findings.Finding {
	if result == nil {
		return nil
	}
	for i, finding := range result.Findings {
		if finding.Kind == findings.StepLimit {
			return &result.Findings[i]
		}
	}
	return nil
}

// endless reports whether the loop that the shader did not leave under the watcher really has no
// end: nothing in it changes what its condition reads, and nothing leaves it. A loop that only
// takes long is not endless.
func (f *facts) endless() bool {
	return f.stuck != nil && slices.ContainsFunc(analysis.EndlessLoops(f.shader.Info), func(condition syntax.Span) bool {
		return f.shader.Source.Position(condition.Start).Line == f.stuck.Place.Line
	})
}

// mistakes returns the findings of a case that make the shader wrong.
func (f *facts) mistakes(o outcome) []findings.Finding {
	if o.seen == nil {
		return nil
	}
	var found []findings.Finding
	for _, finding := range o.seen.Findings {
		if finding.Severity == findings.Error && finding.Kind != findings.StepLimit && !f.harmless(o, finding) {
			found = append(found, finding)
		}
	}
	return found
}

// harmless reports whether a race changed nothing: two invocations with the same element did the
// same work twice, such as max(x, 0).
func (f *facts) harmless(o outcome, finding findings.Finding) bool {
	return finding.Kind == findings.RaceStorage && f.samePlace(o, finding) && o.wrong() == 0 && o.wrongAsSeen() == 0
}

// wrongAsSeen counts the wrong elements of all outputs as the watcher saw them.
func (o *outcome) wrongAsSeen() (n int) {
	all := o.all()
	for i, seen := range o.seen.All()[:len(all)] {
		n += compare(seen.Output, all[i].want, all[i].allowed).Wrong
	}
	return n
}

// samePlace reports whether the two invocations of a race differ only in a direction in which the
// exercise does not dispatch.
func (f *facts) samePlace(o outcome, finding findings.Finding) bool {
	if finding.Other() == nil || f.exercise.Dispatch != course.Cover || f.inPasses() {
		return false
	}
	return f.place(o.Case, finding.Place.Workgroup, finding.Place.Invocation) ==
		f.place(o.Case, finding.Other().Workgroup, finding.Other().Invocation)
}

// place returns the element that belongs to an invocation by its number in the dispatch, in x and
// y. If the exercise has no y and the shader uses local_invocation_index, all of them count in x.
func (f *facts) place(c course.Case, workgroup, invocation [3]uint32) [2]int {
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

// writers returns the places of the invocations that wrote in a case.
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
