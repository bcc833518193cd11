package sim_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// departs compares the making of out[0] by a body with the run of another body.
func departs(t *testing.T, body, other string) (*sim.Departure, error) {
	t.Helper()
	const frame = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> scale: f32;
var<workgroup> s: array<f32, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
`
	in, scale := make([]byte, 32), make([]byte, 4)
	for i, x := range []float32{3, 5, 7, 11, 13, 17, 19, 23} {
		binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(x))
	}
	binary.LittleEndian.PutUint32(scale, math.Float32bits(0.5))
	return mustBuild(t, frame+body+"\n}").Departure(t.Context(), [3]uint32{1, 1, 1}, mustBuild(t, frame+other+"\n}"), [3]uint32{1, 1, 1},
		[]sim.BoundBuffer{{Binding: 0, Data: in}, {Binding: 1, Data: make([]byte, 16)}, {Binding: 2, Data: scale}}, sim.Word{Binding: 1, Index: 0})
}

func TestDeparture(t *testing.T) {
	const sum = "var sum = 0.0;\nfor (var k = 0u; k < 4u; k++) {\nsum += a[k] * a[k];\n}\nout[i] = sqrt(sum);"
	for _, c := range []struct {
		name, body string
		line       int
		text, made string
		terms      int
	}{
		{"another factor", "var sum = 0.0;\nfor (var k = 0u; k < 4u; k++) {\nsum += a[k] * a[k + 1u];\n}\nout[i] = sqrt(sum);", 8, "a[k] * a[k + 1u]", "15", 1},
		{"another function", "var sum = 0.0;\nfor (var k = 0u; k < 4u; k++) {\nsum += a[k] * a[k];\n}\nout[i] = exp(sum);", 10, "exp(sum)", "infinity", 1},
		{"too few terms", "var sum = 0.0;\nfor (var k = 0u; k < 4u; k += 2u) {\nsum += a[k] * a[k];\n}\nout[i] = sqrt(sum);", 8, "sum += a[k] * a[k]", "58", 2},
		{"through memory of the workgroup", "s[i] = a[i] * a[i];\nworkgroupBarrier();\nout[i] = sqrt(s[0] + s[1] - s[2]);", 8, "s[0] + s[1] - s[2]", "-15", 1},
		{"data that is never used", "out[i] = a[7];", 6, "a[7]", "23", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := departs(t, c.body, sum)
			require.NoError(t, err)
			require.NotNil(t, d)
			require.Equal(t, c.line, d.Place.Line)
			require.Equal(t, c.text, d.Text)
			require.Equal(t, c.made, d.Value)
			require.Equal(t, c.terms, d.Terms)
			require.Equal(t, c.text == "a[7]", d.Moves == ir.Read)
		})
	}
	for name, body := range map[string]string{
		"the same":           sum,
		"another order":      "s[i] = a[i] * a[i];\nworkgroupBarrier();\nout[i] = sqrt(s[3] + s[1] + s[2] + s[0]);",
		"the host's uniform": "out[i] = scale;",
		"nobody wrote it":    "out[i + 1u] = 0.0;",
		"never named":        "var out = array<f32, 4>(); out[i] = a[i];",
	} {
		d, err := departs(t, body, sum)
		require.NoError(t, err, name)
		require.Nil(t, d, name)
	}
	_, err := departs(t, "var x = 0.0;\nfor (var k = 0u; k < 1000000u; k++) {\nx += a[0];\n}\nout[i] = x;", sum)
	require.ErrorIs(t, err, sim.ErrTooManySteps)
}
