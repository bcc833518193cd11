package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Test runs a dispatch as a test of a shader: watched, and then in other orders and, if it uses
// subgroups, with subgroups of other sizes. wrong is the first error; nil if there is none. The
// notes say what a page may mean so: values that depend on one of these, or differ from those of
// its GPU.
func (p *ReadyDispatch) Test(ctx context.Context) (wrong *findings.Finding, notes []string, err error) {
	pass, _, err := p.Prepare(0, false)
	if err != nil {
		return nil, nil, err
	}
	first := pass.Copy()
	result, err := first.Run(ctx, first.Workgroups, first.Buffers, sim.Options{Watch: true})
	if err != nil {
		return nil, nil, err
	}
	for i := range result.Findings {
		if result.Findings[i].IsError() {
			return &result.Findings[i], nil, nil
		}
	}
	if !result.Finished {
		return &findings.Finding{Message: fmt.Sprintf("It did not end within %d steps.", result.Steps)}, nil, nil
	}
	for _, d := range p.Differences(first.Buffers) {
		if d.Wrong > 0 {
			notes = append(notes, d.String())
		}
	}
	wrong, more, err := p.inOtherOrders(ctx, pass, first, result.Steps)
	if wrong != nil || err != nil {
		return wrong, nil, err
	}
	other, err := p.inOtherSubgroups(ctx, pass, first)
	return nil, append(append(notes, more...), other...), err
}

// inOtherOrders returns an error if the dispatch ends only in the usual order, and a note if its
// values are others.
func (p *ReadyDispatch) inOtherOrders(ctx context.Context, pass, first *sim.BoundProgram, steps uint64) (*findings.Finding, []string, error) {
	for _, order := range simulator.OtherOrders {
		if order.InTurns && !pass.Atomics {
			continue
		}
		again := pass.Copy()
		limit := order.Patience(steps).Steps
		var result *sim.Result
		var err error
		if order.InTurns {
			result, err = again.RunInTurns(ctx, again.Workgroups, again.Buffers, limit)
		} else {
			result, err = again.Run(ctx, again.Workgroups, again.Buffers, sim.Options{Order: order.Order, Steps: limit})
		}
		switch {
		case errors.Is(err, ir.ErrTooLarge):
			continue
		case err != nil:
			return nil, nil, err
		case !result.Finished:
			return &findings.Finding{Message: "It never ends if " + order.Told + ": an invocation waits for what another one writes."}, nil, nil
		}
		if name := p.unlike(first, again); name != "" {
			return nil, []string{fmt.Sprintf("`%s` has other values if %s.", name, order.Told)}, nil
		}
	}
	return nil, nil, nil
}

// inOtherSubgroups returns a note if the values depend on the size of subgroups.
func (p *ReadyDispatch) inOtherSubgroups(ctx context.Context, pass, first *sim.BoundProgram) ([]string, error) {
	if !pass.Pipeline.Info.Enabled.Has(types.FeatureSubgroups) {
		return nil, nil
	}
	for _, division := range simulator.OtherDivisions {
		again := pass.Copy()
		again.Program = again.Program.With(division)
		result, err := again.Run(ctx, again.Workgroups, again.Buffers, sim.Options{})
		if err != nil {
			return nil, err
		}
		if !result.Finished {
			return []string{fmt.Sprintf("It does not end with subgroups of %d invocations.", division.Size)}, nil
		}
		if name := p.unlike(first, again); name != "" {
			scattered := ""
			if division.Scattered {
				scattered = " that aren't neighbours"
			}
			return []string{fmt.Sprintf("`%s` has other values with subgroups of %d invocations%s.", name, division.Size, scattered)}, nil
		}
	}
	return nil, nil
}

// unlike returns the variable whose values differ after two runs; "" if none does.
func (p *ReadyDispatch) unlike(one, other *sim.BoundProgram) string {
	for i := range one.Buffers {
		if !bytes.Equal(one.Buffers[i].Data, other.Buffers[i].Data) {
			return p.vars[i].Name
		}
	}
	return ""
}
