package wgsl_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Advice is tried before it is given: no learner is led from one error to the next, or round in a
// circle.
func TestAdviceHelps(t *testing.T) {
	for _, c := range []struct{ line, hint string }{
		{"let q: u32 = u + j;", "Write `u32(j)`."}, // i32(u) would lead to the next error
		{"let q = u + j;", "Write `i32(u)`."},
		{"let q: f32 = math.Inf(1);", ""}, // inf(1) doesn't exist
		{"let q: f32 = math.Exp(1);", "Write `exp(…)` alone."},
		{"let q = u ^ 2 * missing;", "For a power, write `u * u`. For xor, put parentheses around it."},
	} {
		s := wgsl.Read("", "@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3u) {\n  let u = id.x;\n  let j = -2;\n  "+c.line+"\n}\n", types.Options{})
		first := findings.FirstError(s.Findings)
		require.NotNil(t, first, c.line)
		assert.Equal(t, c.hint, first.Hint, c.line)
		if c.hint == "" {
			assert.Empty(t, first.Fixes, c.line)
			continue
		}
		require.Len(t, first.Fixes, 1, c.line)
		fixed, err := findings.Apply(s.Source.Text, first.Fixes[0].Edits)
		require.NoError(t, err)
		after := findings.FirstError(wgsl.Read("", fixed, types.Options{}).Findings)
		assert.True(t, after == nil || after.Kind != first.Kind, c.line)
	}
}
