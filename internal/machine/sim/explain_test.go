package sim_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
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
	buffers := []sim.BoundBuffer{{Binding: 0, Data: in}, {Binding: 1, Data: make([]byte, 20)}}
	o, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, buffers, 0, 1, 4)
	require.NoError(t, err)
	assert.Equal(t, "`out[1]` is 144 (line 11)\n"+
		"  `s[3u - i] * 2.0` is 144 (line 11)\n"+
		"    `s[2]` is 72 (line 11)\n"+
		"      `s[2]` is 72 (line 9)\n"+
		"        `sum + f32(i)` is 72 (line 9)\n"+
		"          `sum += a[k] * a[k + 1u]` is 70 (line 7), in 5 rounds: 2, 8, …, 70\n"+
		"            round 1: `a[k] * a[k + 1u]` is 2 (line 7)\n"+
		"              `a[0]` is 1, as the host gave it\n"+
		"              `a[1]` is 2, as the host gave it\n"+
		"            round 2: `a[k] * a[k + 1u]` is 6 (line 7)\n"+
		"              `a[1]` is 2, as the host gave it\n"+
		"              `a[2]` is 3, as the host gave it\n"+
		"            round 5: `a[k] * a[k + 1u]` is 30 (line 7)\n"+
		"              `a[4]` is 5, as the host gave it\n"+
		"              `a[5]` is 6, as the host gave it\n"+
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

// The rounds of a loop are told with their values, the last one too, whatever they are made from.
func TestTheRoundsOfALoop(t *testing.T) {
	for rounds, want := range map[string]string{
		"1": "`c++` is 2 (line 5)\n", "2": "`c++` is 3 (line 5), in 2 rounds: 2, 3\n",
		"3": "`c++` is 4 (line 5), in 3 rounds: 2, 3, 4\n", "6": "`c++` is 7 (line 5), in 6 rounds: 2, 3, …, 7\n",
	} {
		program := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main() {
  var c = 1u;
  for (var k = 0u; k < `+rounds+`u; k++) {
    c++;
  }
  out[0] = c;
}`)
		o, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{{Data: make([]byte, 4)}}, 0, 0, 0)
		require.NoError(t, err)
		assert.Contains(t, o.String(), "  "+want)
	}
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
	o, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{{Binding: 0, Data: in}, {Binding: 1, Data: make([]byte, 4)}}, 0, 1, 0)
	require.NoError(t, err)
	assert.Contains(t, o.String(), "`params.alpha` is 0.5, as the host gave it")
	assert.Contains(t, o.String(), "`params.n` is 3, as the host gave it")
	assert.Contains(t, o.String(), "`params.shift.y` is -1, as the host gave it")
}

// Every step has the value of its own type, whatever the types of its operands.
func TestStepsHaveTheTypeOfTheirResult(t *testing.T) {
	const (
		header = `struct Item { n: i32, f: f32, ok: vec2<f32> }
@group(0) @binding(0) var<storage, read> items: array<Item>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read_write> count: atomic<i32>;
var<workgroup> most: atomic<u32>;
@compute @workgroup_size(1) fn main() {
  let a = items[1];
  `
		footer = "\n}"
	)
	in := make([]byte, 32) // items[1] is {-27, 9.5, {2.5, 0}}
	negative := int32(-27)
	binary.LittleEndian.PutUint32(in[16:], uint32(negative))
	binary.LittleEndian.PutUint32(in[20:], math.Float32bits(9.5))
	binary.LittleEndian.PutUint32(in[24:], math.Float32bits(2.5))
	for body, want := range map[string]string{
		"out[0] = f32(a.n + 1);":                                                  "`items[1].n` is -27",
		"out[0] = f32(a.n);":                                                      "`f32(a.n)` is -27",
		"out[0] = f32(u32(a.f) + 1u);":                                            "`u32(a.f)` is 9",
		"out[0] = f32(i32(-a.f) * 3);":                                            "`i32(-a.f)` is -9",
		"out[0] = f32(bool(a.f));":                                                "`bool(a.f)` is true",
		"out[0] = f32(bool(a.n));":                                                "`bool(a.n)` is true",
		"out[0] = f32(bitcast<u32>(a.n) >> 28u);":                                 "`bitcast<u32>(a.n) >> 28u` is 15",
		"out[0] = bitcast<f32>(a.n + 1069547547);":                                "`bitcast<f32>(a.n + 1069547547)` is 1.5",
		"out[0] = f32(min(a.n, 3));":                                              "`min(a.n, 3)` is -27",
		"out[0] = f32(max(u32(a.f), 3u));":                                        "`max(u32(a.f), 3u)` is 9",
		"out[0] = f32(abs(a.n));":                                                 "`abs(a.n)` is 27",
		"out[0] = f32(clamp(a.n, -5, 5));":                                        "`clamp(a.n, -5, 5)` is -5",
		"out[0] = f32(select(a.n, 4, a.f < 2.0));":                                "`items[1].n` is -27",
		"out[0] = f32(a.n < 0);":                                                  "`a.n < 0` is true",
		"out[0] = f32(all(a.ok > vec2f(-1)));":                                    "`all(a.ok > vec2f(-1))` is true",
		"out[0] = dot(a.ok, vec2f(f32(a.n), 1));":                                 "`dot(a.ok, vec2f(f32(a.n), 1))` is -67.5",
		"out[0] = (mat2x2f(a.f, 0, 0, 1) * a.ok).x;":                              "`mat2x2f(a.f, 0, 0, 1) * a.ok` is 23.75",
		"out[0] = f32(frexp(a.f).exp);":                                           "`frexp(a.f)` is 4",
		"out[0] = f32(pack2x16unorm(a.ok));":                                      "`pack2x16unorm(a.ok)` is 65535",
		"out[0] = f32(unpack4xI8(u32(a.f) + 240u).x);":                            "`unpack4xI8(u32(a.f) + 240u)` is -7",
		"out[0] = f32(insertBits(a.n, 1, 0u, 1u));":                               "`insertBits(a.n, 1, 0u, 1u)` is -27",
		"out[0] = f32(~a.n & 31);":                                                "`~a.n` is 26",
		"out[0] = f32(dot4I8Packed(bitcast<u32>(a.n), 1u));":                      "`dot4I8Packed(bitcast<u32>(a.n), 1u)` is -27",
		"atomicAdd(&count, a.n); out[0] = f32(atomicLoad(&count));":               "`count` is -27 (line 8)",
		"atomicMax(&most, 7u * u32(a.f)); out[0] = f32(atomicLoad(&most));":       "`most` is 63 (line 8)",
		"var part = array(1, 2); part[0] = a.n; out[0] = f32(part[u32(a.ok.y)]);": "`items[1].n` is -27",
	} {
		program := mustBuild(t, header+body+footer)
		var buffers []sim.BoundBuffer
		for _, b := range program.Bindings {
			buffers = append(buffers, sim.BoundBuffer{Binding: b.Number, Data: [][]byte{in, make([]byte, 4), make([]byte, 4)}[b.Number]})
		}
		o, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, buffers, 0, 1, 0)
		require.NoError(t, err, body)
		require.NotNil(t, o, body)
		assert.Contains(t, o.String(), want, body)
	}
}

// A half has its own name, and its value as a float.
func TestTheOriginOfAHalf(t *testing.T) {
	program := mustBuild(t, `enable f16;
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1) fn main() { out[0] = f32(a[1]) * 2.0; }`)
	buffers := []sim.BoundBuffer{{Binding: 0, Data: []byte{0, 0, 0, 0x3e}}, {Binding: 1, Data: make([]byte, 4)}}
	o, err := program.Explain(context.Background(), [3]uint32{1, 1, 1}, buffers, 0, 1, 0)
	require.NoError(t, err)
	assert.Contains(t, o.String(), "`a[1]` is 1.5, as the host gave it")
}
