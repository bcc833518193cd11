package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/wgsl"
)

// divergent: a barrier stands where not all invocations of a workgroup come by.
// WGSL forbids that; the compiler behind this check does not look, and what a
// device then does is its own affair.
func (r *run) divergent() bool {
	found := r.functions.DivergentBarriers()
	if len(found) == 0 {
		return false
	}
	b := found[0]
	r.fail(StageCompile, "divergent-barrier", fmt.Sprintf("Not every invocation of the workgroup reaches the %s on line %d.", b.Name, b.Line))
	r.point(b.Line, b.Column, len(b.Name))
	r.verdict.Why = "A barrier waits until all invocations of the workgroup have come to it. Inside a branch or a loop that depends on the invocation's own number, or behind a return that some have taken, the others would wait for ever. WGSL forbids it, and a browser refuses the shader."
	r.verdict.Ask = "Which invocations get to this line, and how can the others come by too, even with nothing to do?"
	return true
}

// runReordered runs the cases again with the invocations of each workgroup in
// other orders. A right shader gives the same; one with a missing barrier was
// right only because this device happened to run them in a helpful order.
func (r *run) runReordered() error {
	if !r.ordered() {
		return nil
	}
	for _, order := range r.functions.Orders() {
		outcomes, err := r.runOrder(order)
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
func (r *run) ordered() bool {
	several := r.size[0]*r.size[1]*r.size[2] > 1
	return several && (r.exercise.Dispatch == lesson.Each || len(r.module.Workgroup) > 0 || r.perElement() > 1)
}

// perElement is how many invocations have the same x, where only x counts.
func (r *run) perElement() uint32 {
	if r.outcomes[0].Extent[1] > 0 || !r.inPlace() {
		return 1
	}
	return r.size[1] * r.size[2]
}

// manyWorkgroups bounds the cases that run in other orders: what happens inside a
// workgroup shows with fewer, and barriers cost a CPU driver much.
const manyWorkgroups = 100

// runOrder is nil where the shader cannot be rewritten.
func (r *run) runOrder(order wgsl.Order) ([]outcome, error) {
	source, ok := r.functions.Reorder(r.source, r.size, order)
	if !ok {
		return nil, nil
	}
	plain, err := r.backend.Compile(r.name, source)
	var compile *gpu.CompileError
	if errors.As(err, &compile) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer plain.Free()
	program, err := guard(r.backend, r.exercise, r.name, source, r.module, plain)
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
		if outcomes[i], err = r.runCase(program, o.Case); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// racing: the text alone shows that a barrier is missing, whatever this device
// makes of it.
func (r *run) racing() bool {
	races := r.functions.Races(r.module.Workgroup)
	if len(races) == 0 || r.size[0] == 1 {
		return false
	}
	race := races[0]
	r.failOrder()
	r.verdict.Message = fmt.Sprintf("On line %d an invocation uses `%s`, with no barrier since others have read or written it.", race.Line, race.Variable)
	r.point(race.Line, race.Column, len(race.Variable))
	return true
}

// point shows a place in the source.
func (r *run) point(line, column, length int) {
	r.verdict.Line, r.verdict.Column = line, column
	source := strings.Split(r.source, "\n")[line-1]
	r.verdict.Excerpt = (&gpu.CompileError{Line: line, Column: column, Length: length, Source: source}).Excerpt()
}

// orderMatters: in another order the same shader gives something else.
func (r *run) orderMatters() bool {
	for _, outcomes := range r.reordered {
		for i, o := range outcomes {
			if !r.alike(r.outcomes[i], o) {
				if !r.crowded() {
					r.failOrder()
				}
				return true
			}
		}
	}
	return false
}

func (r *run) alike(a, b outcome) bool {
	if a.right() && b.right() {
		return true
	}
	return compare(a.got, b.got, r.exercise.Allowed(a.Case)).Wrong == 0
}

func (r *run) failOrder() {
	r.verdict.Mismatch = nil
	message := "The result depends on which invocation of a workgroup runs first."
	if r.firstWrong() == nil {
		message = "The values came out right, but only because of the order in which this device happened to run the invocations. In another order they are wrong."
	}
	if len(r.module.Workgroup) == 0 {
		r.fail(StageCompare, "race", message)
		r.verdict.Why = "Several invocations write to the same element, or one reads what another writes, and nothing says who comes first."
		r.verdict.Ask = "For one element of " + r.output().Name + ": which invocations read it, which write it, and who has to wait for whom?"
		return
	}
	r.fail(StageCompare, "missing-barrier", message)
	r.verdict.Why = "The invocations of a workgroup do not run in step. What one writes to workgroup memory, another may read only behind a workgroupBarrier; and nobody may overwrite it before all have read it."
	r.verdict.Ask = "Go through your shader phase by phase: who writes, who reads, and what makes the readers wait?"
}

// shortcut: the values are right, but the exercise is about working together in
// workgroup memory, and this shader does not.
func (r *run) shortcut() bool {
	m := r.exercise.WithoutWorkgroupMemory
	if m == nil {
		return false
	}
	if !r.shares() {
		r.fail(StageCompare, m.Slug, m.Title)
		r.verdict.Why, r.verdict.Ask = m.Why, m.Ask
		return true
	}
	if !r.functions.Waits() && r.ordered() {
		r.failOrder()
		r.verdict.Message = "The values are right, but no invocation ever waits for another, so none may use what another has put into workgroup memory."
		return true
	}
	return false
}

// shares says whether the functions that run use a variable in workgroup memory,
// at least once to write and once to read.
func (r *run) shares() bool {
	for _, v := range r.module.Workgroup {
		if r.functions.Uses(v.Name) > 1 {
			return true
		}
	}
	return false
}

// inPlace says whether the output is an input too: the host filled it with
// values and not with poison.
func (r *run) inPlace() bool {
	first := r.outcomes[0].Buffers[r.exercise.Output].Head(1)
	poisoned := first.Same(0, lesson.Unwritten(1)) || first.Same(0, lesson.Stale(1)) || first.Same(0, lesson.UnwrittenU32(1))
	return !poisoned
}

// declaredOutput is what the shader calls the output.
func (r *run) declaredOutput() string {
	for _, b := range r.module.Bindings {
		if int(b.Number) == r.exercise.Output {
			return b.Name
		}
	}
	return ""
}

func (r *run) failUnchanged() {
	name := r.output().Name
	r.fail(StageCompare, "unchanged", fmt.Sprintf("The shader ran, but %s came out as it went in.", name))
	r.verdict.Mismatch = nil
	r.verdict.Why = "Either no invocation assigns to " + name + ", or each of them writes the very value that it has read. A new value that stays in a variable is lost when the invocation ends."
	r.verdict.Ask = "Which line gives an element of " + name + " another value than it had?"
}
