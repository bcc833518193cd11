package gpu_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func TestBindingMistakes(t *testing.T) { onEach(t, testBindingMistakes) }

func testBindingMistakes(t *testing.T, on engine) {
	d := on.open(t)
	f32 := alloc[float32](t, d, 4)
	u32 := alloc[uint32](t, d, 4)
	i32 := alloc[int32](t, d, 1)
	uniform, err := gpu.Uniform(d, uint32(3))
	require.NoError(t, err)

	const vectorAdd = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;`
	const saxpy = `
struct Params { alpha: f32, n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;`

	for name, c := range map[string]struct {
		declarations string
		buffers      []*gpu.Buffer
		binding      int
		variable     string
		want         string
	}{
		"none given": {vectorAdd, nil, 0, "a",
			"your shader declares `a` at @binding(0), but the host gives no buffers"},
		"one missing": {vectorAdd, []*gpu.Buffer{f32}, 1, "out",
			"your shader declares `out` at @binding(1), but the host gives only @binding(0)"},
		"the third missing": {vectorAdd + "@group(0) @binding(2) var<storage, read> c: array<f32>;", []*gpu.Buffer{f32, alloc[float32](t, d, 4)}, 2, "c",
			"your shader declares `c` at @binding(2), but the host gives only @binding(0) to @binding(1)"},
		"nil": {vectorAdd, []*gpu.Buffer{f32, nil}, 1, "out",
			"the host gives no buffer at @binding(1)"},
		"one too many": {vectorAdd, []*gpu.Buffer{f32, alloc[float32](t, d, 4), u32}, 2, "",
			"the host gives a storage buffer of 4 u32 (16 bytes) at @binding(2), but your shader declares nothing there: add the binding, even if you don't use it yet"},
		"storage for uniform": {saxpy, []*gpu.Buffer{f32, f32}, 0, "params",
			"@binding(0): your shader declares `params` as var<uniform> of Params; the host gives a storage buffer of 4 f32 (16 bytes). Write var<storage, read> there, or var<storage, read_write> to write to it"},
		"uniform for storage": {vectorAdd, []*gpu.Buffer{uniform, f32}, 0, "a",
			"@binding(0): your shader declares `a` as var<storage, read> of array<f32>; the host gives a uniform buffer. Write var<uniform> there"},
		"another element": {vectorAdd, []*gpu.Buffer{f32, u32}, 1, "out",
			"@binding(1): your shader declares `out` as var<storage, read_write> of array<f32>, so its elements are f32; the host gives a storage buffer of 4 u32 (16 bytes)"},
		"another sign": {"@group(0) @binding(0) var<storage, read_write> x: array<u32, 1>;", []*gpu.Buffer{i32}, 0, "x",
			"@binding(0): your shader declares `x` as var<storage, read_write> of array<u32, 1>, so its elements are u32; the host gives a storage buffer of 1 i32 (4 bytes)"},
		"too small": {"@group(0) @binding(0) var<storage, read_write> x: array<f32, 5>;", []*gpu.Buffer{f32}, 0, "x",
			"@binding(0): your shader declares `x` as var<storage, read_write> of array<f32, 5>, at least 20 bytes; the host gives a storage buffer of 4 f32 (16 bytes). Sizes count bytes, not elements: one f32 is 4 bytes"},
		"uniform too small": {"struct P { a: vec3<f32>, b: vec3<f32> } @group(0) @binding(0) var<uniform> p: P;", []*gpu.Buffer{uniform}, 0, "p",
			"@binding(0): your shader declares `p` as var<uniform> of P, at least 32 bytes; the host gives a uniform buffer of 16 bytes. Sizes count bytes, not elements: one f32 is 4 bytes"},
		"twice": {vectorAdd, []*gpu.Buffer{f32, f32}, 1, "out",
			"the host gives the same buffer at @binding(0) and @binding(1), but your shader may write to it: WebGPU lets you bind a buffer only once if it is written"},
	} {
		t.Run(name, func(t *testing.T) {
			k := compile(t, d, c.declarations+"\n@compute @workgroup_size(1) fn main() {}")
			_, err := k.Pass(one, c.buffers...)
			var mistake *shader.BindError
			require.ErrorAs(t, err, &mistake)
			require.Equal(t, shader.BindError{Shader: "pipeline", Binding: c.binding, Name: c.variable, Message: c.want}, *mistake)
			require.EqualError(t, err, "pipeline: "+c.want)
			require.NotErrorIs(t, err, shader.ErrLost)
		})
	}
}

// Valid bindings are accepted: unused bindings, the same buffer read twice, mixed structs, atomics,
// a larger buffer than the type.
func TestBindingsThatFit(t *testing.T) { onEach(t, testBindingsThatFit) }

func testBindingsThatFit(t *testing.T, on engine) {
	d := on.open(t)
	f32, u32 := alloc[float32](t, d, 8), alloc[uint32](t, d, 8)
	uniform, err := gpu.Uniform(d, uint32(3))
	require.NoError(t, err)
	for declarations, buffers := range map[string][]*gpu.Buffer{
		"": nil,
		"@group(0) @binding(0) var<storage> a: array<f32>; @group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;": {f32, f32},
		"struct S { n: u32, x: array<f32> } @group(0) @binding(0) var<storage, read_write> s: S;":                         {f32},
		"@group(0) @binding(0) var<storage, read_write> s: array<atomic<u32>, 4>;":                                        {u32},
		"@group(0) @binding(0) var<uniform> n: u32; @group(0) @binding(1) var<storage, read_write> s: f32;":               {uniform, f32},
	} {
		k := compile(t, d, declarations+"\n@compute @workgroup_size(1) fn main() {}")
		require.NoError(t, d.Run(bind(t, k, one, buffers...)), declarations)
	}
}

func TestWorkgroupCount(t *testing.T) { onEach(t, testWorkgroupCount) }

func testWorkgroupCount(t *testing.T, on engine) {
	d := on.open(t)
	k := compile(t, d, increment)
	limit := d.Adapter().Limits.WorkgroupsPerDimension
	x := alloc[uint32](t, d, 1)
	for i, axis := range "xyz" {
		for _, n := range []uint32{0, limit + 1} {
			groups := one
			groups[i] = n
			_, err := k.Pass(groups, x)
			require.EqualError(t, err, fmt.Sprintf("pipeline: %d workgroups in %c; it must be from 1 to %d", n, axis, limit))
		}
	}
	bind(t, k, [3]uint32{limit, 1, 1}, x)
}

func TestEndlessLoop(t *testing.T) { onEach(t, testEndlessLoop) }

func testEndlessLoop(t *testing.T, on engine) {
	d := on.open(t)
	x := upload(t, d, uint32(1))
	k, err := d.Compile("add", increment[:len(increment)-1]+"\n\twhile true {}\n}")
	require.NoError(t, err)
	_, err = k.Pass(one, x)
	var endless *shader.EndlessError
	require.ErrorAs(t, err, &endless)
	require.Equal(t, shader.EndlessError{Shader: "add", Line: 7, Column: 2}, *endless)
	require.EqualError(t, err, "add did not finish: the loop on line 7 has no break and no return, so no invocation can ever leave it")
	require.False(t, errors.Is(err, shader.ErrLost))
	require.NoError(t, d.Run(bind(t, compile(t, d, increment), one, x)))
	require.Equal(t, []uint32{2}, read[uint32](t, x), "the device goes on")
}
