package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/patterns"
)

// runReordered runs the cases again with the invocations of each workgroup in
// other orders. A right shader gives the same; one with a missing barrier was
// right only because this device happened to run them in a helpful order.
func (r *run) runReordered(ctx context.Context) error {
	if !r.ordered() {
		return nil
	}
	for _, order := range r.shader.Orders(r.entry) {
		outcomes, err := r.runOrder(ctx, order)
		if err != nil {
			return err
		}
		if outcomes != nil {
			r.reordered = append(r.reordered, outcomes)
		}
	}
	return nil
}

// ordered says whether an order can matter: several invocations work on the same
// thing, in workgroup memory, because a workgroup is there for each element, or
// because the workgroup has more dimensions than the exercise.
func (f *facts) ordered() bool {
	several := f.size[0]*f.size[1]*f.size[2] > 1
	return several && (f.exercise.Dispatch == lesson.Each || len(f.module.Workgroup) > 0 || f.perElement() > 1)
}

// manyWorkgroups bounds the cases that run in other orders: what happens inside a
// workgroup shows with fewer, and barriers cost a CPU driver much.
const manyWorkgroups = 100

// runOrder is nil where the shader cannot be rewritten.
func (r *run) runOrder(ctx context.Context, order wgsl.Order) ([]outcome, error) {
	text, ok := r.shader.Reorder(r.entry, r.size, order)
	if !ok {
		return nil, nil
	}
	source := shader.Read(r.source.Name, text)
	plain, err := r.backend.Compile(ctx, source)
	var compile *shader.CompileError
	if errors.As(err, &compile) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer plain.Free()
	program, err := r.guard(ctx, source, plain)
	if err != nil {
		return nil, err
	}
	defer program.free()
	outcomes := slices.Clone(r.outcomes)
	for i, o := range r.outcomes {
		groups := r.workgroups(o.Case)
		if groups[0]*groups[1] > manyWorkgroups {
			continue
		}
		if outcomes[i], err = r.runCase(ctx, program, o.Case); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// racing: the text alone shows that a barrier is missing, whatever this device
// makes of it.
func racing(f *facts) *verdict.Diagnosis {
	var shared []string
	for _, v := range f.module.Workgroup {
		shared = append(shared, v.Name)
	}
	races := patterns.Read(f.source.Text).Races(shared)
	if len(races) == 0 || f.size[0] == 1 {
		return nil
	}
	race := races[0]
	d := f.inAnotherOrder()
	d.Message = fmt.Sprintf("On line %d an invocation uses `%s`, with no barrier since others have read or written it.", race.Line, race.Variable)
	f.point(d, onLine(race.Line, race.Column, len(race.Variable)))
	return d
}

// orderMatters: in another order the same shader gives something else.
func orderMatters(f *facts) *verdict.Diagnosis {
	for _, outcomes := range f.reordered {
		for i, o := range outcomes {
			if f.alike(f.outcomes[i], o) {
				continue
			}
			if d := crowded(f); d != nil {
				return d
			}
			return f.inAnotherOrder()
		}
	}
	return nil
}

func (f *facts) alike(a, b outcome) bool {
	if a.right() && b.right() {
		return true
	}
	return compare(a.got, b.got, f.exercise.Allowed(a.Case)).Wrong == 0
}

// inAnotherOrder: what comes out is a matter of luck.
func (f *facts) inAnotherOrder() *verdict.Diagnosis {
	d := &verdict.Diagnosis{Stage: verdict.StageCompare, Message: "The result depends on which invocation of a workgroup runs first."}
	if f.wrong == nil {
		d.Message = "The values came out right, but only because of the order in which this device happened to run the invocations. In another order they are wrong."
	}
	if len(f.module.Workgroup) == 0 {
		d.Slug = "race"
		d.Why = "Several invocations write to the same element, or one reads what another writes, and nothing says who comes first."
		d.Ask = "For one element of " + f.output().Name + ": which invocations read it, which write it, and who has to wait for whom?"
		return d
	}
	d.Slug = "missing-barrier"
	d.Why = "The invocations of a workgroup do not run in step. What one writes to workgroup memory, another may read only behind a workgroupBarrier; and nobody may overwrite it before all have read it."
	d.Ask = "Go through your shader phase by phase: who writes, who reads, and what makes the readers wait?"
	return d
}

// shortcut: the values are right, but the exercise is about working together in
// workgroup memory, and this shader does not.
func shortcut(f *facts) *verdict.Diagnosis {
	m := f.exercise.WithoutWorkgroupMemory
	switch {
	case m == nil:
		return nil
	case !f.shares():
		return known(*m)
	case !f.shader.Waits(f.entry) && f.ordered():
		d := f.inAnotherOrder()
		d.Message = "The values are right, but no invocation ever waits for another, so none may use what another has put into workgroup memory."
		return d
	}
	return nil
}

// shares says whether the functions that run use a variable in workgroup memory,
// at least once to write and once to read.
func (f *facts) shares() bool {
	for _, v := range f.module.Workgroup {
		if f.shader.Uses(f.entry, v.Name) > 1 {
			return true
		}
	}
	return false
}
