package goals_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// No workgroup is counted after one that never ends: each would take as long.
func TestAnEndlessWorkgroupIsTheLast(t *testing.T) {
	e, err := course.Find("count-up")
	require.NoError(t, err)
	const steps = 100_000
	for name, endless := range map[string]string{
		"every workgroup": "true", "the first one": "group.x == 0u", "the last ones": "group.x > 2u",
	} {
		source := shader.Read("count-up.wgsl", `
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u) {
  while `+endless+` && image[0] < 4.0 { atomicStore(&total[0], 2u); }
  atomicAdd(&total[0], 1u); // an endless workgroup never reaches it
}`)
		r, err := goals.Cost(t.Context(), e, source, cost.Options{Steps: steps})
		require.NoError(t, err, name)
		require.False(t, r.Finished, name)
		require.Less(t, r.Steps, uint64(2*steps), name)
		said := r.Summary(cost.GPU{})
		require.Contains(t, said[len(said)-1], "too many steps", name)
	}
}
