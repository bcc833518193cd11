package reasons

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// A counted program adds up the steps of its runs.
type counted struct {
	shader.Program
	steps *uint64
}

func (c counted) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	r, err := c.Program.Run(ctx, d)
	*c.steps += r.Steps
	return r, err
}

// Hundreds of elements should be 0. Finding out which of them a wrong 0 belongs in takes no longer
// for all of them than for one.
func TestLookingWhereAValueBelongsIsLimited(t *testing.T) {
	text, _ := slipped(t, "frame", "out[i] = digit[", "out[i] = 0.0 * digit[")
	f := checked(t, "frame", text)
	o := f.examples()[0]
	element := tellingElements(o)[0]
	reference, err := f.Exercise.Reference()
	require.NoError(t, err)
	right, err := f.newProbe(t.Context(), reference, o, element)
	require.NoError(t, err)
	defer right.program.Free()
	zeros, steps := 0, uint64(0)
	for i := range o.Want.Len() {
		if o.Want.At(i) == 0 {
			zeros++
		}
	}
	require.Greater(t, zeros, 100)
	right.program = counted{right.program, &steps}
	nothing := &difference{CaseRun: o, element: element, uses: []sim.Word{{Binding: 1, Index: -1}}}
	require.Equal(t, -1, f.belonging(right, nothing, f.inputs(o.Case)))
	require.Less(t, steps, uint64(mostProbed*11/10))
}
