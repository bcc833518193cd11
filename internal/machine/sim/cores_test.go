package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/fence"
)

// A fault of the simulator on any core reaches the caller of the run.
func TestACoreThatFails(t *testing.T) {
	p := compiled(t, `@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] = 7; }`)
	run := func(cores int) string {
		return fence.Around(func() {
			_, err := p.Run(t.Context(), [3]uint32{64, 1, 1}, []BoundBuffer{{Data: make([]byte, 256)}}, Options{Cores: cores})
			require.NoError(t, err)
		})
	}
	require.Empty(t, run(4))
	p.Code = p.Code[:0]
	for _, cores := range []int{1, 4} {
		require.Contains(t, run(cores), "index out of range")
	}
	for failing := range 3 {
		d := &dispatch{}
		begun := make(chan struct{}, 3)
		ended := make([]bool, 3)
		fault := fence.Around(func() {
			d.beside(3, func(core int) {
				begun <- struct{}{}
				if core != failing {
					time.Sleep(time.Millisecond)
					ended[core] = true
					return
				}
				for len(begun) < 3 {
					time.Sleep(time.Microsecond)
				}
				panic("boom")
			})
		})
		require.Contains(t, fault, "boom")
		for core := range ended {
			require.Equal(t, core != failing, ended[core], "core %d", core)
		}
	}
}
