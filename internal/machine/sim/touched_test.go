package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
)

// TouchedWords has the words that were read before they were written, those that were written, and
// how far the workgroups reach that wrote anything. Accesses out of bounds leave none.
func TestTouchedWords(t *testing.T) {
	var foot sim.TouchedWords
	run(t, mustBuild(t, `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if id.x == 3u { return; }
  out[id.x] = x[id.x * 2u];
  out[id.x] += out[0];
}`), [3]uint32{4, 1, 1}, sim.Options{Touched: &foot}, make([]byte, 32), make([]byte, 20))
	require.Equal(t, [3]uint32{3, 1, 1}, foot.Reach)
	require.Equal(t, []string{"x", "out"}, []string{foot.Bindings[0].Object, foot.Bindings[1].Object})
	require.Equal(t, sim.Words{1<<0 | 1<<2 | 1<<4}, foot.Bindings[0].Read)
	require.False(t, foot.Bindings[0].Wrote.Any())
	require.False(t, foot.Bindings[1].Read.Any(), "each word is written first")
	require.Equal(t, sim.Words{1<<0 | 1<<1 | 1<<2 | 1<<4}, foot.Bindings[1].Wrote)
	require.Equal(t, 4, foot.Bindings[1].Wrote.Count())
	require.False(t, foot.Bindings[1].Wrote.Has(100))
}
