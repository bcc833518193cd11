package grade

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/fronts/class/submission"
)

// strided is right, but neighbours read far apart: it isn't coalesced.
const strided = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let n = arrayLength(&out);
  let threads = (n + 63u) / 64u * 64u;
  let i = id.x % 64u * (threads / 64u) + id.x / 64u;
  if (i < n) {
    out[i] = a[i] + b[i];
  }
}
`

// Points for costs come on top, if the instructor gives any: for all goals of a right shader, or
// none.
func TestPointsForCosts(t *testing.T) {
	class := []submission.Submission{
		handsIn("cheap", references(t, "vector-add")),
		handsIn("dear", map[string]string{"vector-add": strided}),
		handsIn("wrong", map[string]string{"vector-add": "fn f() {}"}),
	}
	o := options()
	without, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	require.False(t, without.Costs())
	require.Empty(t, without.Rewarded())

	o.CostPoints = 0.5
	with, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	require.True(t, with.Costs())
	for i, wanted := range []float64{0.5, 0, 0} {
		s, before := with.Submissions[i], without.Submissions[i]
		e := mustHave(t, s, "vector-add")
		require.NotNil(t, e.Costs, s.Student)
		require.Equal(t, wanted, e.Costs.Points, s.Student)
		require.Equal(t, 0.5, e.Costs.MaxPoints)
		require.Equal(t, mustHave(t, before, "vector-add").Points, e.Points, "costs decide nothing else")
		require.Equal(t, before.Points+wanted, s.Points)
		require.Greater(t, s.MaxPoints, before.MaxPoints)
	}
	require.Regexp(t, `^0\.5 of 0\.5 \((\d) of \d goals?\)$`, mustHave(t, with.Submissions[0], "vector-add").Costs.Words())
	dear := mustHave(t, with.Submissions[1], "vector-add").Costs
	require.Less(t, dear.Reached(), len(dear.Marks))
	require.True(t, dear.Marks.Placed())
	require.Empty(t, mustHave(t, with.Submissions[2], "vector-add").Costs.Marks)
	require.NotNil(t, mustHave(t, with.Submissions[0], "matmul").Costs, "the points of what is missing are lost")
}
