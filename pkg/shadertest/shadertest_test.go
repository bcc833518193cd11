package shadertest_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/shadertest"
)

// A failing is a test whose failure is kept.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// same writes a shader to a file and tests it. It returns how the test fails; "" if it passes.
func same(t *testing.T, s shadertest.Setup, text string, want any) string {
	t.Helper()
	s.File = filepath.Join(t.TempDir(), "shader.wgsl")
	require.NoError(t, os.WriteFile(s.File, []byte(text), 0o644))
	f := &failing{TB: t}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Same(f, want)
	}()
	<-ended
	return strings.ReplaceAll(f.said, filepath.Dir(s.File)+string(filepath.Separator), "")
}

const blur = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&out);
    if (id.x >= n) { return; }
    out[id.x] = (x[max(id.x, 1u) - 1u] + x[id.x] + x[min(id.x + 1u, n - 1u)]) / 3.0;
}
`

func blurred(x, out []float32) {
	for i := range out {
		out[i] = (x[max(i, 1)-1] + x[i] + x[min(i+1, len(x)-1)]) / 3
	}
}

func TestSame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "blur.wgsl")
	require.NoError(t, os.WriteFile(file, []byte(blur), 0o644))
	shadertest.Same(t, file, blurred)
}

// The smallest size that fails is named, with the first wrong value; what the simulator sees has a
// place.
func TestWhatFails(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"wrong at the edge of a workgroup": {"x[max(id.x, 1u) - 1u]", "x[select(id.x - 1u, id.x, id.x % 64u == 0u)]", "shader.wgsl fails with n = 65, the smallest from 1 to 300 that does.\nout[64] is "},
		"wrong everywhere":                 {"/ 3.0", "/ 3.001", "shader.wgsl fails with n = 1, the smallest from 1 to 300 that does.\nout[0] is "},
		"out of bounds":                    {"min(id.x + 1u, n - 1u)", "id.x + 1u", "shader.wgsl:6:"},
		"a race":                           {"id.x] = (", "id.x / 2u] = (", "shader.wgsl:6:"},
		"doesn't compile":                  {"let n", "let", "shader.wgsl:4:"},
		"never ends":                       {"let n =", "var i = 0u; while (i < 2u) { i = i * 1u; } let n =", "shader.wgsl"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(blur, c.from, c.to, 1)
			require.NotEqual(t, blur, text)
			require.Contains(t, same(t, shadertest.Setup{}, text, blurred), c.want)
		})
	}
}

// Uniforms, vectors, whole numbers and atomics; the host's own inputs and workgroups.
func TestOtherBindings(t *testing.T) {
	type params struct {
		N     uint32
		Scale float32
	}
	const text = `struct Params { n: u32, scale: f32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> v: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> total: array<atomic<i32>>;
@compute @workgroup_size(8, 2) fn scale(@builtin(global_invocation_id) id: vec3u) {
    let i = id.y * 8u + id.x;
    if (i >= p.n) { return; }
    v[i] *= p.scale;
    atomicAdd(&total[0], i32(i));
}
`
	scaled := func(p params, v [][4]float32, total []int32) {
		for i := range v {
			for k := range v[i] {
				v[i][k] *= p.Scale
			}
			total[0] += int32(i)
		}
	}
	s := shadertest.Setup{
		To: 90, Workgroups: func(n int) [3]uint32 { return [3]uint32{1, uint32(n+15) / 16, 1} },
		Inputs: func(n int, random *rand.Rand) []any {
			v := make([][4]float32, n)
			for i := range v {
				v[i] = [4]float32(shadertest.Floats(random, 4))
			}
			return []any{params{uint32(n), 0.5}, v, []int32{-7}}
		},
	}
	require.Empty(t, same(t, s, text, scaled))
	require.Contains(t, same(t, s, strings.Replace(text, "v[i] *= p.scale;", "v[i] *= p.scale; v[i].z += 1.0;", 1), scaled), "v[0], number 2 is ")
	require.Contains(t, same(t, s, strings.Replace(text, "i32(i)", "1", 1), scaled), "total[0] is ")

	s.Inputs = func(n int, random *rand.Rand) []any { return []any{params{}, nil, []int32{0}} }
	require.Contains(t, same(t, s, text, scaled), "value 2 of Inputs is a <nil>")
}

// The order of workgroups and the size of subgroups decide nothing in a right shader.
func TestOrdersAndSubgroups(t *testing.T) {
	const counting = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: array<atomic<u32>>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3u) {
    atomicAdd(&count[0], 1u);
    out[group.x] = atomicLoad(&count[0]);
}
`
	s := shadertest.Setup{From: 3, To: 9, Inputs: func(n int, _ *rand.Rand) []any { return []any{make([]uint32, n), []uint32{0}} }}
	require.Contains(t, same(t, s, counting, func(out, count []uint32) {
		count[0] = uint32(len(out))
		for i := range out {
			out[i] = uint32(i) + 1
		}
	}), "wrong if the last workgroup runs first")

	const halves = `enable subgroups;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) size: u32) {
    let n = subgroupAdd(1u);
    if (i < arrayLength(&out)) { out[i] = n * 64u / SIZE; }
}
`
	s = shadertest.Setup{To: 64}
	const inAll = "if (i < arrayLength(&out)) { out[i] = n"
	require.Contains(t, halves, inAll)
	all := func(out []uint32) {
		for i := range out {
			out[i] = 64
		}
	}
	require.Empty(t, same(t, s, strings.Replace(halves, "SIZE", "n", 1), all))
	require.Contains(t, same(t, s, strings.Replace(halves, "SIZE", "32u", 1), all), "wrong with subgroups of 64")
}

// What can't be compared says why.
func TestUsage(t *testing.T) {
	for want, c := range map[string]struct {
		shader shadertest.Setup
		text   string
		with   any
	}{
		"it has 2 bindings, and the Go function 1 parameters":    {text: blur, with: func([]float32) {}},
		"parameter 2 is a []uint32, and `out` holds f32":         {text: blur, with: func([]float32, []uint32) {}},
		"parameter 1 is a float32, and `x` is var<storage":       {text: blur, with: func(float32, []float32) {}},
		"parameter 1 is a []string: its parts have to be":        {text: blur, with: func([]string, []float32) {}},
		"parameter 2 is a [][3]float32 of 12 bytes each":         {text: blur, with: func([]float32, [][3]float32) {}},
		"it is compared with a value of type int":                {text: blur, with: 3},
		"there is no Go function":                                {text: blur},
		"no size is from 9 to 8":                                 {shader: shadertest.Setup{From: 9, To: 8}, text: blur, with: blurred},
		"there is no entry point: a function `blur`":             {shader: shadertest.Setup{Entry: "blur"}, text: blur, with: blurred},
		"it has 0 compute functions":                             {text: "const x = 1;", with: blurred},
		"`out` is @group(0) @binding(1): a test binds @group(0)": {text: strings.Replace(blur, "@group(0) @binding(0)", "@group(1) @binding(0)", 1), with: func([]float32, []float32) {}},
		"rounding decides what happens on line 6":                {text: strings.Replace(blur, "id.x + 1u, n - 1u", "select(0u, 1u, x[0] * 0.1 > x[0] / 10.0), 1u", 1), with: blurred},
		"it has no binding that it may write":                    {text: "@group(0) @binding(0) var<storage, read> x: array<f32>;\n@compute @workgroup_size(1) fn main() { _ = x[0]; }", with: func([]float32) {}},
		"WGSL bounds no error for out[0]: state a Tolerance":     {text: strings.Replace(blur, "/ 3.0", "/ sin(1000.0 * x[0])", 1), with: blurred},
	} {
		t.Run(want, func(t *testing.T) {
			require.Contains(t, same(t, c.shader, c.text, c.with), want)
		})
	}
	f := &failing{TB: t}
	ended := make(chan struct{})
	go func() { defer close(ended); shadertest.Same(f, "gone.wgsl", blurred) }()
	<-ended
	require.Contains(t, f.said, "gone.wgsl: ")
	require.Contains(t, f.said, "no such file")
}
