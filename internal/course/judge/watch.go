package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
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
	r.inTurns = make([]*shader.Result, len(cases))
	steps := uint64(0)
	for _, i := range r.small(cases) {
		d := r.Dispatch(cases[i])
		d.Watch, d.Rounded = true, r.Exercise.IsTest
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
			r.inTurns[i] = r.sideBySide(ctx, program, cases[i])
		}
		seen[i] = &result
		r.stuck = evidence.Unfinished(&result)
		if steps += result.Steps; steps > enoughSteps || r.stuck != nil {
			break
		}
	}
	return seen
}

// takesTurns reports whether the order of the invocations may matter. What a shader loads from an
// atomic, it may store after another invocation has written it; and what an atomic function returns
// depends on who came before.
func (r *run) takesTurns() bool {
	return strings.Contains(r.Source.Text, "atomicLoad") && strings.Contains(r.Source.Text, "atomicStore") || len(tickets(r.Shader.Info)) > 0
}

// tickets returns the calls of atomic functions that change a value, and whose result is used.
func tickets(info *types.Info) []*syntax.CallExpr {
	var used []*syntax.CallExpr
	statements := map[*syntax.CallExpr]bool{}
	for n := range syntax.All[syntax.Node](info.File) {
		switch n := n.(type) {
		case *syntax.CallStmt:
			statements[n.Call] = true
		case *syntax.CallExpr:
			if call := info.Calls[n]; call != nil && call.Builtin != nil && returnsTicket[call.Builtin.Name] && !statements[n] {
				used = append(used, n)
			}
		}
	}
	return used
}

var returnsTicket = map[string]bool{
	"atomicAdd": true, "atomicSub": true, "atomicMax": true, "atomicMin": true,
	"atomicAnd": true, "atomicOr": true, "atomicXor": true, "atomicExchange": true,
}

// sideBySide runs a watched case in another order, and returns nil if the simulator can't.
func (r *run) sideBySide(ctx context.Context, program shader.Program, c course.Case) *shader.Result {
	d := r.Dispatch(c)
	d.InTurns = true
	result, err := program.Run(ctx, d)
	if err != nil {
		return nil
	}
	return &result
}

// otherOrder adds to what was seen in a case that the order of the invocations decides, if it
// matters: the values came out wrong side by side.
func (r *run) otherOrder(o *evidence.CaseRun, inTurns *shader.Result) {
	if o.Seen == nil || inTurns == nil {
		return
	}
	for i, left := range inTurns.All() {
		want := o.All()[i]
		difference := evidence.Compare(left.Output, want.Want, want.Allowed)
		if difference.Wrong == 0 {
			continue
		}
		more := inTurns.Findings // the lost updates
		if seen := o.Seen.All()[i]; len(more) == 0 && evidence.Compare(seen.Output, want.Want, want.Allowed).Wrong == 0 {
			more = r.outOfOrder(i, left.Output, want.Want, difference.First)
		}
		seen := *o.Seen
		seen.Findings = slices.Clone(seen.Findings)
		for _, finding := range more {
			finding.Severity, finding.Case = findings.Error, o.Name
			seen.Findings = append(seen.Findings, finding)
		}
		o.Seen = &seen
		return
	}
}

// outOfOrder finds that the element at index of an output depends on who comes first at the first
// atomic function whose result the shader uses.
func (r *run) outOfOrder(output int, got, want course.Buffer, index int) []findings.Finding {
	calls := tickets(r.Shader.Info)
	if len(calls) == 0 {
		return nil
	}
	b := r.Exercise.Bindings[append([]int{r.Exercise.Output}, r.Exercise.Also...)[output]]
	place, _ := b.Place(index)
	at := findings.Location{Span: calls[0].Span(), Region: r.Shader.Source.Region(calls[0].Span())}
	return []findings.Finding{{
		Kind: findings.ArrivalOrder, Location: at, Variable: b.Name, Index: place,
		Message: fmt.Sprintf("what `%s` on line %d returns depends on which invocation comes first; with the last one first, %s[%d] is %s instead of %s",
			r.Shader.Info.Calls[calls[0]].Builtin.Name, at.Line, b.Name, place, numeric.JSONNumber(got.At(index)), numeric.JSONNumber(want.At(index))),
	}}
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
		return f.Shader.Source.Position(condition.Start).Line == f.stuck.Location.Line
	})
}
