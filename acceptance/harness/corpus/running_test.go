package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// The extracted shaders are complete, and each is there once.
func TestExtract(t *testing.T) {
	const compute = "@compute @workgroup_size(1)\nfn main() {}\n"
	from := write(t, map[string]string{
		"one/a.wgsl":  compute,
		"one/b.wgsl":  "// @compute fn f()\nfn g() {}",
		"one/host.ts": "const a = `fn f() {}`, b = `\n\"@compute @workgroup_size(1) fn twice() {}\"`, c = `@compute @workgroup_size(${n}) fn three() {}`;",
		"two/lib.rs":  "const A: &str = r#\"\n@compute @workgroup_size(1) fn main() {}\"#;\nconst B: &str = r\"@compute @workgroup_size(4) fn raw() {}\";",
		"two/x.py":    "A = '''@compute @workgroup_size(8) fn py() {}'''",
		"two/x.cpp":   "auto a = R\"wgsl(@compute @workgroup_size(9) fn cpp() {})wgsl\";",
		"two/x.txt":   compute + "// more",
	})
	to := t.TempDir()
	out, err := run(t, context.Background(), "extract", from, to)
	require.NoError(t, err)
	require.Equal(t, "5 shaders\n", out)
	paths, _, err := shaders(to)
	require.NoError(t, err)
	var names []string
	for _, p := range paths {
		names = append(names, filepath.ToSlash(relative(to, p)))
	}
	slices.Sort(names)
	quoted, err := os.ReadFile(filepath.Join(to, "one/host.ts.1.wgsl"))
	require.NoError(t, err)
	require.Equal(t, "@compute @workgroup_size(1) fn twice() {}", string(quoted))
	require.Equal(t, []string{"one/a.wgsl", "one/host.ts.1.wgsl", "two/lib.rs.1.wgsl", "two/x.cpp.0.wgsl", "two/x.py.0.wgsl"}, names)
}

// foreign are shaders with each outcome.
var foreign = map[string]string{
	"p/double.wgsl": `struct P { n: u32 }
@group(0) @binding(0) var<uniform> p: P;
@group(1) @binding(3) var<storage, read_write> x: array<f32>;
override scale: f32;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
	if id.x < p.n { x[id.x] = x[id.x] * scale / 3.0; }
}`,
	"p/two.wgsl": `@group(0) @binding(0) var<storage, read_write> x: array<u32, 4>;
@compute @workgroup_size(64) fn race(@builtin(local_invocation_index) i: u32) { x[0] = i; }
var<workgroup> large: array<f32, 100000000>;
@compute @workgroup_size(1) fn large_one() { large[0] = 1.0; }`,
	"q/wrong.wgsl": "@compute @workgroup_size(1) fn main() { let a: u32 = 1.5; }",
}

func TestCorpusRuns(t *testing.T) {
	folder, list := write(t, foreign), filepath.Join(t.TempDir(), "list")
	out, err := run(t, context.Background(), folder, "--run", "--engine", "simulator", "--list", list)
	require.NoError(t, err)
	words := squeezed(out)
	for _, want := range []string{
		"project shaders Tint accepts ran entry points ran without errors p 2 0 1 3 2 1 q 1 0 0 1 0 0 2 projects 3 0 1 4 2 1",
		"what stops the others shaders entry points the front end refuses it 1 1 the shader is too large to simulate 1 1",
		"errors found in a run entry points race-storage 1",
		"beside the driver entry points same 1",
	} {
		require.Contains(t, words, want)
	}
	lines, err := os.ReadFile(list)
	require.NoError(t, err)
	var first struct{ Runs []entryRun }
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(string(lines), "\n", 2)[0]), &first))
	require.Equal(t, []entryRun{{Entry: "main", Outcome: clean, Driver: same, Steps: first.Runs[0].Steps}}, first.Runs)
}

func compiled(t *testing.T, text string) *preparedRun {
	t.Helper()
	runs := runAll(context.Background(), text)
	require.Len(t, runs, 1)
	require.Equal(t, clean, runs[0].Outcome, runs[0].Why)
	return runs[0]
}

// Numbers that are alone are small sizes, those in arrays differ, and atomics begin at 0.
func TestFill(t *testing.T) {
	r := compiled(t, `struct S { count: atomic<u32>, size: vec2u, scale: f32, a: array<vec3f, 2>, rest: array<i32> }
@group(0) @binding(0) var<storage, read_write> s: S;
@compute @workgroup_size(1) fn main() { atomicAdd(&s.count, arrayLength(&s.rest)); }`)
	require.Len(t, r.given, 1)
	raw := r.given[0].Data
	words := shader.Buffer{Element: shader.U32, Bytes: raw}.Uints()
	floats := shader.Buffer{Element: shader.F32, Bytes: raw}.Floats()
	require.Equal(t, []uint32{0, 0, 8, 8}, words[:4])
	require.Equal(t, []float32{1.5, 0, 0, 0}, floats[4:8])
	require.Equal(t, []float32{1. / 64, 38. / 64, 11. / 64, 0, 48. / 64, 21. / 64, 58. / 64}, floats[8:15], "and padding is 0")
	require.Equal(t, []uint32{30, 4, 9}, words[16:19], "of the runtime-sized array")
	require.Len(t, words, 16+arrayLength+3, "the structure has whole rows, so three more fit")
}

// A driver's number may be as far away as WGSL allows, and no further.
func TestDifference(t *testing.T) {
	r := compiled(t, `@group(0) @binding(0) var<storage, read_write> x: array<f32, 2>;
@group(0) @binding(1) var<storage, read_write> n: array<u32, 2>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3u) { if w.x == 0 { x[0] = exp(x[0]); n[0] += 1u; } }`)
	want := r.buffers()
	exact, err := r.program.Run(t.Context(), [3]uint32{1, 1, 1}, want, sim.Options{Exact: true})
	require.NoError(t, err)
	other := func(buffer, word int, change func(shader.Buffer)) []sim.BoundBuffer {
		got := (&preparedRun{given: want}).buffers()
		change(shader.Buffer{Element: shader.F32, Bytes: got[buffer].Data[4*word:]})
		return got
	}
	require.Empty(t, r.difference(exact, want, want))
	require.Empty(t, r.difference(exact, want, other(0, 0, func(b shader.Buffer) { b.Floats()[0] *= 1.0000002 })))
	require.Equal(t, "`x` at byte 0: 1.0157477 in the simulator, 1.1173224 on the driver; 1 of 2 numbers",
		r.difference(exact, want, other(0, 0, func(b shader.Buffer) { b.Floats()[0] *= 1.1 })))
	require.Contains(t, r.difference(exact, want, other(1, 1, func(b shader.Buffer) { b.Uints()[0]++ })), "`n` at byte 4: 5 in the simulator, 6 on the driver")
}

// What atomics hand out depends on the order, which WGSL leaves open.
func TestOrderDecides(t *testing.T) {
	const head = "@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;\n@group(0) @binding(1) var<storage, read_write> x: array<u32>;\n"
	ordered := compiled(t, head+"@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { atomicAdd(&n, 1u); x[id.x] = id.x; }")
	require.False(t, ordered.orderDecides(t.Context()))
	open := compiled(t, head+"@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { x[atomicAdd(&n, 1u)] = id.x; }")
	require.True(t, open.orderDecides(t.Context()))
}

func TestWithConstants(t *testing.T) {
	const text = "@id(7) override n: u32 = 4;\n@compute @workgroup_size(n) fn f() {}"
	source := shader.Read("x", text).At("f")
	require.Equal(t, "       const    n: u32 = 4;\n@compute @workgroup_size(n) fn f() {}", withConstants(source).Text)
	require.Equal(t, "f", withConstants(source).EntryPoint())
}

// Textures of every kind and samplers are made as well.
func TestFillTextures(t *testing.T) {
	compiled(t, `@group(0) @binding(0) var a: texture_2d_array<f32>;
@group(0) @binding(1) var b: texture_cube<f32>;
@group(0) @binding(2) var c: texture_multisampled_2d<u32>;
@group(0) @binding(3) var d: texture_depth_2d;
@group(0) @binding(4) var e: texture_storage_3d<rgba16float, write>;
@group(0) @binding(5) var f: texture_1d<i32>;
@group(0) @binding(6) var g: texture_external;
@group(1) @binding(0) var s: sampler;
@group(1) @binding(1) var compares: sampler_comparison;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
	var sum = textureSampleLevel(a, s, vec2(0.5), 3, 2.0) + textureSampleLevel(b, s, vec3(1.0), 0.0);
	sum += textureLoad(g, id.xy);
	sum.x += f32(textureLoad(c, id.xy, 3).x) + f32(textureLoad(f, 5, 0).x) + textureSampleCompareLevel(d, compares, vec2(0.5), 0.5);
	textureStore(e, vec3(id.xy, 7), sum);
}`)
}
