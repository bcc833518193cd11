package reasons

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// departs says at which step a wrong element departs from the reference's run: there a number comes
// about that the reference never has, from numbers that it has. It returns nil if there is none.
func (r *finder) departs(ctx context.Context, o evidence.CaseRun) *sighting {
	reference, err := r.standard()
	if err != nil {
		return nil
	}
	due, err := r.Exercise.Dispatched(o.Case, reference)
	if err != nil {
		return nil
	}
	right, err := sim.CompileEntry(reference, nil, false)
	if err != nil {
		return nil
	}
	learners, err := sim.CompileEntry(r.Source, nil, false)
	if err != nil {
		return nil
	}
	for _, element := range tellingElements(o) {
		r.breathe()
		d, err := learners.Departure(ctx, r.Workgroups(o.Case), right, due.Workgroups, bound(o.Buffers), r.word(element))
		if err != nil {
			return nil
		}
		if d != nil {
			return &sighting{Reason: r.reason(verdict.ByComputing, d.Place.Region, departed(d)), CaseRun: o, element: element}
		}
	}
	return nil
}

func departed(d *sim.Departure) string {
	switch {
	case d.Moves == ir.Write:
		return fmt.Sprintf("On line %d, `%s` becomes %s. No step of a right shader comes to this number.", d.Place.Line, d.Text, d.Value)
	case d.Moves == ir.Read:
		return fmt.Sprintf("On line %d, `%s` is %s. A right shader never uses this number.", d.Place.Line, d.Text, d.Value)
	case d.Terms > 1:
		return fmt.Sprintf("On line %d, `%s` ends at %s. A right shader starts from the same numbers, but never gets this one.", d.Place.Line, d.Text, d.Value)
	}
	return fmt.Sprintf("On line %d, `%s` is %s. A right shader starts from the same numbers, but never gets this one.", d.Place.Line, d.Text, d.Value)
}

// bound returns a case's buffers as the simulator binds them.
func bound(buffers []shader.Buffer) []sim.BoundBuffer {
	var all []sim.BoundBuffer
	for i, b := range buffers {
		all = append(all, sim.BoundBuffer{Binding: uint32(i), Data: b.Clone().Bytes})
	}
	return all
}
