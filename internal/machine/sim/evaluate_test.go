package sim

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An evaluation leaves an invocation as it was, with or without a copy of its slots.
func TestAnEvaluationChangesNothing(t *testing.T) {
	source := shader.ReadWith("test.wgsl", `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<private> p: array<u32, 4>;
var<workgroup> w: atomic<u32>;
fn bump(x: u32) -> u32 { p[x] += 7u; out[0] += x; return p[x]; }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  var v = vec4f(f32(i));
  var m = array<mat4x4f, 5>();
  p[1] = bump(i);
  v.x = v[i] + m[i][1].x;
  out[i] = u32(v.x) + atomicLoad(&w);
}`, types.AllFeatures)
	p, err := CompileEntry(source, nil, true)
	require.NoError(t, err)
	s, err := p.Debug(t.Context(), [3]uint32{1, 1, 1}, []BoundBuffer{{Data: make([]byte, 16)}})
	require.NoError(t, err)
	for range 2 {
		s.Step(1)
	}
	before := s.Still()
	frame := s.Stack(1)[0]
	bare := "m[4][3] + m[i % 5u][2] * " + strings.Repeat("2.5 * ", 40) + "v"
	for text, copies := range map[string]bool{
		"v": false, "v.x + v[i]": false, "m": false, "p[i + 9u]": false, "array<f32, 99>(" + strings.Repeat("v.x, ", 98) + "1.5)[i]": false, bare: false,
		"bump(2u)": true, "bump(bump(1u) % 4u)": true, "atomicAdd(&w, 3u)": true,
	} {
		e, err := p.Expression(frame, text)
		require.NoError(t, err, text)
		require.Equal(t, copies, e.Writes, text)
		var first types.Value
		for n := range 3 {
			v, _, err := s.Evaluate(e, 1)
			require.NoError(t, err, text)
			if n == 0 {
				first = v
			}
			require.Equal(t, first.String(), v.String(), text)
			for local := range s.machine.invs {
				require.True(t, slices.Equal(before.machine.invs[local].slots, s.machine.invs[local].slots), text)
			}
			require.Equal(t, before.machine.shared, s.machine.shared, text)
			require.Equal(t, before.machine.buffers, s.machine.buffers, text)
		}
		still, _, err := before.Evaluate(e, 1) // a snapshot has no room after the slots
		require.NoError(t, err, text)
		require.Equal(t, first.String(), still.String(), text)
	}
}

// Of several indexes out of bounds, the one that was evaluated last counts; and an evaluation after
// it begins anew.
func TestTheIndexOutsideIsOfTheEvaluation(t *testing.T) {
	p, err := CompileEntry(shader.Read("test.wgsl", `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn at(i: u32) -> u32 { return out[i]; }
@compute @workgroup_size(1) fn main() { out[0] = at(0u); }`), nil, true)
	require.NoError(t, err)
	s, err := p.Debug(t.Context(), [3]uint32{1, 1, 1}, []BoundBuffer{{Data: make([]byte, 16)}})
	require.NoError(t, err)
	for _, c := range []struct {
		text    string
		outside uint32 // 0 if there is none
	}{
		{"out[5] + out[6]", 6}, {"out[0]", 0}, {"at(7u)", 7}, {"at(1u)", 0}, {"at(7u) + out[8]", 8}, {"out[4294967294u]", 4294967294},
	} {
		e, err := p.Expression(s.Stack(0)[0], c.text)
		require.NoError(t, err)
		_, outside, err := s.Evaluate(e, 0)
		require.NoError(t, err)
		if c.outside == 0 {
			require.Nil(t, outside, c.text)
			continue
		}
		require.NotNil(t, outside, c.text)
		require.Equal(t, c.outside, *outside, c.text)
	}
}
