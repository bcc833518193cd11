package sim_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/sim"
)

func TestHowANumberCameToBe(t *testing.T) {
	program := mustBuild(t, `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> s: array<f32, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  var sum = 0.0;
  for (var k = 0u; k < 5u; k++) {
    sum += a[k] * a[k + 1u];
  }
  s[i] = sum + f32(i);
  workgroupBarrier();
  out[i] = s[3u - i] * 2.0;
}`)
	in := make([]byte, 24)
	for i := range 6 {
		binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(float32(i+1)))
	}
	buffers := []sim.Buffer{{Binding: 0, Data: in}, {Binding: 1, Data: make([]byte, 20)}}
	o, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, buffers, 0, 1, 4)
	require.NoError(t, err)
	assert.Equal(t, "`out[1]` is 144 (line 11)\n"+
		"  `s[3u - i] * 2.0` is 144 (line 11)\n"+
		"    `s[2]` is 72 (line 11)\n"+
		"      `s[2]` is 72 (line 9)\n"+
		"        `sum + f32(i)` is 72 (line 9)\n"+
		"          `sum += a[k] * a[k + 1u]` is 70 (line 7), in 5 rounds, of which the first 3:\n"+
		"            `a[k] * a[k + 1u]` is 2 (line 7)\n"+
		"              `a[0]` is 1, as the host gave it\n"+
		"              `a[1]` is 2, as the host gave it\n"+
		"            `a[k] * a[k + 1u]` is 6 (line 7)\n"+
		"              `a[1]` is 2, as the host gave it\n"+
		"              `a[2]` is 3, as the host gave it\n"+
		"            `a[k] * a[k + 1u]` is 12 (line 7)\n"+
		"              `a[2]` is 3, as the host gave it\n"+
		"              `a[3]` is 4, as the host gave it\n"+
		"          `f32(i)` is 2 (line 9)\n", o.String())
	assert.Equal(t, [3]uint32{1, 0, 0}, o.Place.Invocation)
	writer := o.From[0].From[0].From[0]
	assert.Equal(t, [3]uint32{2, 0, 0}, writer.Place.Invocation, "who wrote s[2]")

	unwritten, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, buffers, 0, 1, 16)
	require.NoError(t, err)
	assert.Nil(t, unwritten)
	_, err = program.Explain(context.Background(), [3]uint32{1, 1, 1}, buffers, 0, 1, 20)
	assert.Error(t, err)
	assert.Equal(t, make([]byte, 20), buffers[1].Data, "the buffers are left as they are")
}

// A member of a struct has the value of its own type, not of its neighbour's.
func TestMembersHaveTheirOwnType(t *testing.T) {
	program := mustBuild(t, `struct Params { n: u32, alpha: f32, shift: vec2<i32> }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1) fn main() {
  out[0] = params.alpha * f32(params.n) + f32(params.shift.y);
}`)
	in := make([]byte, 16)
	binary.LittleEndian.PutUint32(in, 3)
	binary.LittleEndian.PutUint32(in[4:], math.Float32bits(0.5))
	binary.LittleEndian.PutUint32(in[12:], math.MaxUint32) // -1
	o, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, []sim.Buffer{{Binding: 0, Data: in}, {Binding: 1, Data: make([]byte, 4)}}, 0, 1, 0)
	require.NoError(t, err)
	assert.Contains(t, o.String(), "`params.alpha` is 0.5, as the host gave it")
	assert.Contains(t, o.String(), "`params.n` is 3, as the host gave it")
	assert.Contains(t, o.String(), "`params.shift.y` is -1, as the host gave it")
}
