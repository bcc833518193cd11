package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// inOtherOrders checks a shader that is right in other orders, and diagnoses the first in which it
// is wrong, or never ends.
func (r *run) inOtherOrders(ctx context.Context) (*verdict.Diagnosis, error) {
	for _, order := range simulator.OtherOrders {
		if order.InTurns && len(r.atomics()) == 0 {
			continue // it differs from the others only between atomic functions
		}
		for _, o := range r.Outcomes {
			d, err := r.inOrder(ctx, order, o)
			if d != nil || err != nil {
				return d, err
			}
		}
	}
	return nil, nil
}

// inOrder runs a case in another order.
func (r *run) inOrder(ctx context.Context, order simulator.OtherOrder, o evidence.CaseRun) (*verdict.Diagnosis, error) {
	options := simulator.Options{Order: order.Order}
	if o.Seen != nil {
		options = order.Patience(o.Seen.Steps)
	}
	result, err := r.Exercise.RunOnce(ctx, simulator.New(options), r.Source, o.Case, func(d *shader.Dispatch) { d.InTurns = order.InTurns })
	var late *shader.DeadlineError
	switch {
	case errors.As(err, &late) && o.Seen != nil:
		return r.waiting(order, o), nil
	case errors.As(err, &late), errors.Is(err, ir.ErrTooLarge):
		return nil, nil // nothing is known
	case err != nil:
		return nil, err
	}
	other := o
	for i, left := range result.All() {
		want := o.All()[i]
		if evidence.Compare(left.Output, want.Want, want.Allowed).Wrong == 0 {
			continue
		}
		got := want
		got.Got, got.Difference = left.Output, evidence.Compare(left.Output, want.Want, want.Allowed)
		other.Compared = got
		return r.outOfTurn(order, other, i), nil
	}
	return nil, nil
}

// outOfTurn says that the values depend on the order.
func (r *run) outOfTurn(order simulator.OtherOrder, o evidence.CaseRun, output int) *verdict.Diagnosis {
	at := *r.Exercise
	at.Output = r.Exercise.Outputs()[output]
	d := r.ordered(order, "The values depend on the order in which workgroups or invocations run.")
	d.Mismatch = evidence.FirstMismatch(&at, o)
	return d
}

// waiting says that the shader only ends if the order is the usual one.
func (r *run) waiting(order simulator.OtherOrder, o evidence.CaseRun) *verdict.Diagnosis {
	d := r.ordered(order, "The shader never ends if workgroups or invocations run in another order.")
	d.Stage = verdict.StageRun
	d.Why = "An invocation waits for what another one writes. WebGPU promises neither an order nor that all run at once: those that wait can keep the other from running."
	d.Besides = "Observed in case " + strings.TrimSpace(o.Name) + "."
	return d
}

func (r *run) ordered(order simulator.OtherOrder, message string) *verdict.Diagnosis {
	d := &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.OtherOrder, Message: message,
		Why: fmt.Sprintf("All is right if they run by their numbers. It is wrong if %s. A GPU may do that as well.", order.Told),
		Ask: "Which line needs what another invocation has done before, and what makes it wait?",
	}
	if calls := r.atomics(); len(calls) > 0 {
		span := calls[0].Span()
		r.point(d, &findings.Finding{Location: findings.Location{Span: span, Region: r.Shader.Source.Region(span)}})
	}
	return d
}

// atomics returns the calls of atomic functions whose result the shader uses, then those that only
// load.
func (r *run) atomics() []*syntax.CallExpr {
	info := r.Shader.Info
	calls := tickets(info)
	for call := range syntax.All[*syntax.CallExpr](info.File) {
		if c := info.Calls[call]; c != nil && c.Builtin != nil && (c.Builtin.Name == "atomicLoad" || c.Builtin.Name == "atomicCompareExchangeWeak") {
			calls = append(calls, call)
		}
	}
	return calls
}
