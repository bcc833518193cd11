package desk

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/view"
)

// racy adds up in one place without an atomic: each invocation reads what others write.
const racy = `override SCALE: f32;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> sum: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    // print if i < 2u: i, a[i] * SCALE
    sum[0] += a[i] * SCALE;
}
`

func benched(t *testing.T, source string, run protocol.BenchRun) (shown string, wrong []protocol.FieldProblem) {
	t.Helper()
	var views []view.View
	got, err := newDesk(t).Answer(t.Context(), protocol.Request{Do: protocol.OnBench, Source: source, Bench: &run}, func(more ...view.View) {
		views = append(views, more...)
	})
	require.NoError(t, err)
	for _, v := range views {
		shown += v.Text() + "\n"
		require.NotEmpty(t, v.HTML())
	}
	return shown, got.Fields
}

// A bench says what goes wrong and where, and shows the buffers, the print comments and the costs.
func TestBench(t *testing.T) {
	shown, wrong := benched(t, racy, protocol.BenchRun{Binds: []string{"0.0=f32[64]", "0.1=f32:0"}, Passes: []string{"main=1"}, Overrides: []string{"SCALE=2"}})
	require.Empty(t, wrong)
	for _, part := range []string{
		"✗ bench.wgsl: goes wrong when it runs", "line 9", "sum[0] += a[i] * SCALE;", "race-storage (error): In workgroup 0", "sum after the run, f32", "4032",
		"Buffers that the shader only reads", "Line 8 prints i, a[i] * SCALE", "what your shader costs", "At least 2.17 µs", "moved by 32 neighbours together",
	} {
		require.Contains(t, shown, part)
	}
	require.NotContains(t, shown, "of the cell")
}

// Each input that is wrong is named, and nothing runs.
func TestBenchInputs(t *testing.T) {
	shown, wrong := benched(t, racy, protocol.BenchRun{Binds: []string{"0.0=f32[64]", "0.1=f33:0"}, Passes: []string{"main=0"}, Overrides: []string{"SCALE=x"}})
	require.Empty(t, shown)
	require.Equal(t, []protocol.FieldProblem{
		{List: "binds", At: 1, Says: "\"f33\" is not an element type for a buffer; examples are f32, f16 and vec4u. `sum` has type array<f32>: write 0.1=f32[COUNT], or 0.1=f32:v,v,… with all numbers in order."},
		{List: "passes", At: 0, Says: `"0" is not a number from 1 to 65535.`},
		{List: "overrides", At: 0, Says: "`SCALE` has type f32, which takes numbers from -3.4028234663852886e+38 to 3.4028234663852886e+38."},
	}, wrong)

	shown, wrong = benched(t, racy, protocol.BenchRun{Binds: []string{"0.0=f32[64]"}, Passes: []string{"main=1"}, Overrides: []string{"SCALE=2"}})
	require.Empty(t, wrong)
	require.Contains(t, shown, "It did not run")
	shown, _ = benched(t, "fn main( {", protocol.BenchRun{Passes: []string{"main=1"}})
	require.Contains(t, shown, "bench.wgsl: does not compile")
	shown, _ = benched(t, "fn f() {}", protocol.BenchRun{Passes: []string{"main=1"}})
	require.Contains(t, shown, "there is no compute entry point")
}

const passes = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(4) fn double(@builtin(global_invocation_id) id: vec3u) { a[id.x] *= 2u; }
@compute @workgroup_size(4) fn add(@builtin(global_invocation_id) id: vec3u) { a[id.x] += 1u; }
`

// Passes run one after the other on the same buffers. The step view begins a pass with what those
// before it left, and can go to any moment of it.
func TestBenchPasses(t *testing.T) {
	run := protocol.BenchRun{Binds: []string{"0.0=u32[4]"}, Passes: []string{"double=1", "add=1"}}
	shown, wrong := benched(t, passes, run)
	require.Empty(t, wrong)
	require.Contains(t, shown, "bench.wgsl: ran, and nothing went wrong")
	require.Contains(t, shown, "1 3 5 7")
	require.Equal(t, 2, strings.Count(shown, "what your shader costs"))
	require.NotContains(t, shown, "unchanged")
	shown, _ = benched(t, passes, protocol.BenchRun{Binds: []string{"0.0=u32[4]:0"}, Passes: []string{"double=1"}})
	require.Contains(t, shown, "a after the run, u32: unchanged")

	d := newDesk(t)
	asked := protocol.Request{Do: protocol.Steps, Source: passes, Bench: &run, Step: protocol.StepRequest{Do: "begin", Case: "pass 2: add", Open: []string{"buffers/a"}}}
	state := stateOf(t, d, asked)
	require.Equal(t, []string{"pass 1: double", "pass 2: add"}, state.Cases)
	require.Equal(t, "pass 2: add", state.Case)
	require.Zero(t, state.Moment)
	require.Contains(t, valueOf(state, "a"), "0u, 2u, 4u, 6u")

	asked.Step.Moment, asked.Step.Invocation = 2, 1
	state = stateOf(t, d, asked)
	require.Equal(t, 2, state.Moment)
	require.Equal(t, 1, state.Invocation)
	require.Contains(t, valueOf(state, "a"), "1u, 3u, 4u, 6u")
	asked.Step.Case = ""
	require.Equal(t, "pass 1: double", stateOf(t, d, asked).Case)
	run.Binds = []string{"0.0=u32[x]"}
	require.Contains(t, stateOf(t, d, asked).Problem, `"x" is not a number of elements`)
}

func valueOf(state protocol.StepState, name string) string {
	for _, scope := range state.Scopes {
		for _, v := range scope.Variables {
			if v.Name == name {
				return v.Value
			}
		}
	}
	return ""
}

// An outline proposes inputs with which the shader runs.
func TestOutline(t *testing.T) {
	d := newDesk(t)
	of := func(source string) *protocol.Outline {
		got, err := d.Answer(t.Context(), protocol.Request{Do: protocol.Outlook, Source: source}, nil)
		require.NoError(t, err)
		return got.Outline
	}
	require.Equal(t, &protocol.Outline{
		Read: true,
		Bindings: []protocol.OutlineBinding{
			{Place: "0.0", Name: "a", Type: "array<f32>", Access: "storage, read", Propose: "f32[128]"},
			{Place: "0.1", Name: "sum", Type: "array<f32>", Access: "storage, read_write", Propose: "f32[128]:0"},
		},
		Entries:   []protocol.OutlineEntry{{Name: "main", Size: "64", Propose: "2"}},
		Overrides: []protocol.OutlineOverride{{Key: "SCALE", Name: "SCALE", Type: "f32"}},
	}, of(racy))
	tiles := of("@id(3) override N = 8u;\n@compute @workgroup_size(N, 4) fn tile() {}\n@compute @workgroup_size(1) fn one() {}")
	require.Equal(t, []protocol.OutlineEntry{{Name: "tile", Propose: "2,2"}, {Name: "one", Size: "1", Propose: "64"}}, tiles.Entries)
	require.Equal(t, []protocol.OutlineOverride{{Key: "3", Name: "N", Type: "u32", Default: "8u"}}, tiles.Overrides)
	require.False(t, of("fn f( {").Read)
}

// A case of an exercise goes to the bench as it was checked.
func TestShare(t *testing.T) {
	d, seed := newDesk(t), uint64(7)
	share := func(id, source, name string) *protocol.SharedCase {
		got, err := d.Answer(t.Context(), protocol.Request{Do: protocol.Share, Exercise: id, Source: source, Seed: &seed, Step: protocol.StepRequest{Case: name}}, nil)
		require.NoError(t, err)
		return got.Shared
	}
	source := strings.Replace(reference(t, "vector-add"), "if (i < arrayLength(&out))", "", 1)
	require.NotEqual(t, reference(t, "vector-add"), source)
	shared := share("vector-add", source, "n = 65")
	require.Equal(t, "vector-add, n = 65, seed 7", shared.From)
	require.Empty(t, shared.Notes)
	require.Equal(t, []string{"main=2"}, shared.Passes)
	shown, wrong := benched(t, source, shared.BenchRun)
	require.Empty(t, wrong)
	require.Contains(t, shown, "out-of-bounds-write (error)")
	require.Equal(t, "vector-add, n = 64, seed 7", share("vector-add", source, "").From, "the first with work for a whole workgroup")

	for _, id := range []string{"matmul", "scan", "softmax"} {
		shared = share(id, reference(t, id), "")
		shown, wrong = benched(t, reference(t, id), shared.BenchRun)
		require.Empty(t, wrong, id)
		require.Contains(t, shown, "bench.wgsl: ran, and nothing went wrong", id)
	}
}

// Textures and samplers get a proposal as well, and a texture that the shader writes is shown.
func TestBenchTextures(t *testing.T) {
	const blur = `@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var near: sampler;
@group(0) @binding(2) var blurred: texture_storage_2d<r32float, write>;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(blurred, id.xy, textureSampleLevel(image, near, (vec2f(id.xy) + 0.5) / 16.0, 0.0));
}
`
	got, err := newDesk(t).Answer(t.Context(), protocol.Request{Do: protocol.Outlook, Source: blur}, nil)
	require.NoError(t, err)
	run := protocol.BenchRun{Passes: []string{"main=" + got.Outline.Entries[0].Propose}}
	for _, b := range got.Outline.Bindings {
		run.Binds = append(run.Binds, b.Place+"="+b.Propose)
	}
	require.Equal(t, []string{"0.0=texture[16,16]", "0.1=sampler", "0.2=texture[16,16]"}, run.Binds)
	shown, wrong := benched(t, blur, run)
	require.Empty(t, wrong)
	require.Contains(t, shown, "ran, and nothing went wrong")
	require.Contains(t, shown, "blurred after the run, r32float[16,16,1]\n      0  1   2", "a picture")
}
