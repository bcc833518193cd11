package judge

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/evidence"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// enoughSteps is after how many steps of the watcher no further case starts.
const enoughSteps = 1_500_000

// watch runs the small cases on the watcher and returns what it saw of each, or nil for a case
// that it did not run. If the watcher cannot run the shader, all are nil; then the values alone
// decide.
func (r *run) watch(ctx context.Context, cases []course.Case) []*shader.Result {
	seen := make([]*shader.Result, len(cases))
	program, err := r.Exercise.Compile(ctx, r.watcher, r.Source)
	if err != nil {
		r.unwatched = err
		return seen
	}
	r.watched = program
	r.beside = make([]*shader.Result, len(cases))
	steps := uint64(0)
	for _, i := range r.small(cases) {
		d := r.Dispatch(cases[i])
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
		if r.takesTurns() {
			r.beside[i] = r.sideBySide(ctx, program, cases[i])
		}
		seen[i] = &result
		r.stuck = evidence.Unfinished(&result)
		if steps += result.Steps; steps > enoughSteps || r.stuck != nil {
			break
		}
	}
	return seen
}

// takesTurns reports whether a lost update is possible: what a shader loads from an atomic, it may
// store after another invocation has written it.
func (r *run) takesTurns() bool {
	return strings.Contains(r.Source.Text, "atomicLoad") && strings.Contains(r.Source.Text, "atomicStore")
}

// sideBySide runs a watched case in another order, and returns nil if the simulator can't.
func (r *run) sideBySide(ctx context.Context, program shader.Program, c course.Case) *shader.Result {
	d := r.Dispatch(c)
	d.Beside = true
	result, err := program.Run(ctx, d)
	if err != nil {
		return nil
	}
	return &result
}

// loseUpdates adds the lost updates to what was seen in a case, if they matter: in the other order, the
// values came out wrong.
func (r *run) loseUpdates(o *evidence.Outcome, beside *shader.Result) {
	if o.Seen == nil || beside == nil || len(beside.Findings) == 0 {
		return
	}
	wrong := 0
	for i, left := range beside.All() {
		want := o.All()[i]
		wrong += evidence.Compare(left.Output, want.Want, want.Allowed).Wrong
	}
	if wrong == 0 {
		return
	}
	seen := *o.Seen
	seen.Findings = slices.Clone(seen.Findings)
	for _, finding := range beside.Findings {
		finding.Severity, finding.Case = findings.Error, o.Name
		seen.Findings = append(seen.Findings, finding)
	}
	o.Seen = &seen
}

// small returns the cases to watch: first the smallest that goes past all edges, then the others
// by size.
func (r *run) small(cases []course.Case) []int {
	var order []int
	for i, c := range cases {
		if r.Work(c) <= evidence.MostWatched {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Work(cases[a]), r.Work(cases[b])) })
	if across := r.across(cases); across >= 0 {
		order = slices.DeleteFunc(order, func(i int) bool { return i == across })
		order = slices.Insert(order, 0, across)
	}
	return order
}

// across returns the smallest case that goes past all edges, or -1 if none is small enough.
func (f *facts) across(cases []course.Case) int {
	least := -1
	for i, c := range cases {
		if f.pastEdges(c) && f.Work(c) <= evidence.MostAcross && (least < 0 || f.Work(c) < f.Work(cases[least])) {
			least = i
		}
	}
	return least
}

// pastEdges reports whether a case needs several workgroups of the learner's size in each
// direction, with the last one not full. If each workgroup has its own share, the case needs
// several workgroups and more elements than invocations.
func (f *facts) pastEdges(c course.Case) bool {
	groups := f.Workgroups(c)
	if f.Exercise.Dispatch == course.Each {
		elements := 0
		for _, b := range c.Buffers {
			elements = max(elements, b.Len())
		}
		return groups[0] > 1 && elements > int(groups[0]*f.Size[0]*f.Size[1]*f.Size[2])
	}
	for axis, n := range c.Extent {
		if n > 0 && (groups[axis] < 2 || f.Size[axis] > 1 && uint32(n)%f.Size[axis] == 0) {
			return false
		}
	}
	return true
}

// endless reports whether the loop that the shader did not leave under the watcher really has no
// end: nothing in it changes what its condition reads, and nothing leaves it. A loop that only
// takes long is not endless.
func (f *facts) endless() bool {
	return f.stuck != nil && slices.ContainsFunc(analysis.EndlessLoops(f.Shader.Info), func(condition syntax.Span) bool {
		return f.Shader.Source.Position(condition.Start).Line == f.stuck.Place.Line
	})
}
