package shader_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

var small = shader.Adapter{Name: "a small one", Limits: shader.Limits{
	WorkgroupStorageBytes: 1024, InvocationsPerWorkgroup: 64, WorkgroupSize: [3]uint32{64, 64, 8}, WorkgroupsPerDimension: 100,
}}

const (
	doubles = `@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(8)
fn main() { x[0] = 2.0 * x[0] + f32(n); }
`
	mainLine = "@compute @workgroup_size(8)"
)

func TestMistake(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		code       findings.Kind
	}{
		"nothing":         {"", "there is no entry point", findings.NoEntryPoint},
		"NUL":             {"// a\n\x00", "byte 1 of line 2 is NUL", findings.NotText},
		"byte order mark": {"\uFEFF" + doubles, "byte order mark", ""},
		"brackets":        {"fn main() { let x = " + strings.Repeat("(", 10_000), "deep", "too-deep"},
	} {
		mistake := shader.Read("try.wgsl", c.text).Mistake()
		require.NotNil(t, mistake, name)
		require.Contains(t, mistake.Error(), c.want, name)
		require.Equal(t, c.code, mistake.Kind, name)
	}
	require.Nil(t, shader.Read("try.wgsl", doubles).Mistake())
}

func TestEntry(t *testing.T) {
	for name, c := range map[string]struct {
		old, new, want string
		code           findings.Kind
		line           int
	}{
		"no main":            {"fn main", "fn start", "there is no entry point", findings.NoEntryPoint, 0},
		"too many":           {"(8)", "(8, 9)", "makes 72 invocations; a small one runs at most 64", findings.WorkgroupSize, 4},
		"none":               {"(8)", "(8, 0)", "at least one invocation in each direction, not 0", findings.WorkgroupSize, 3},
		"too long":           {"(8)", "(1, 1, 9)", "has 9 in z; it must be from 1 to 8", findings.WorkgroupSize, 4},
		"too much memory":    {"x[0] =", "t[0] = 1.0; x[0] = f32(r);\n}\nvar<workgroup> t: array<f32, 256>;\nvar<workgroup> r: u32;\nfn f() { x[0] =", "take 1040 bytes; a small one has 1024", findings.WorkgroupMemory, 4},
		"by its override":    {"x[0] =", "t[0] = 1.0;\n}\noverride w = 257;\nvar<workgroup> t: array<f32, w>;\nfn f() { x[0] =", "take 1040 bytes; a small one has 1024", findings.WorkgroupMemory, 4},
		"two at one binding": {"binding(1)", "binding(0)", "`n` and `x` are both `@group(0) @binding(0)`", "binding-conflict", 2},
	} {
		_, err := shader.Read("try.wgsl", strings.Replace(doubles, c.old, c.new, 1)).Entry(small)
		var mistake *shader.CompileError
		require.ErrorAs(t, err, &mistake, name)
		require.Contains(t, mistake.Message, c.want, name)
		require.Equal(t, c.code, mistake.Kind, name)
		require.Equal(t, c.line, mistake.Line, name)
	}
	entry, err := shader.Read("try.wgsl", doubles).Entry(small)
	require.NoError(t, err)
	require.Equal(t, [3]uint32{8, 1, 1}, entry.WorkgroupSize)
}

// What another entry point uses, or needs, doesn't count for this one.
func TestOtherEntryPoints(t *testing.T) {
	source := shader.Read("try.wgsl", doubles+`override m: u32;
@group(0) @binding(1) var<storage> y: array<u32>;
@group(0) @binding(2) var<storage> p: u32;
@group(0) @binding(2) var<storage> q: u32;
@group(1) @binding(0) var<storage> far: u32;
var<workgroup> t: array<u32, 257>;
@compute @workgroup_size(m) fn other() { t[y[0]] = m + far; }
`)
	_, err := source.Entry(small)
	require.NoError(t, err)
	names := func(of *shader.Source) (names []string) {
		bindings, err := of.Bindings()
		require.NoError(t, err)
		for _, b := range bindings {
			names = append(names, b.Name)
		}
		return names
	}
	require.Equal(t, []string{"n", "x", "p"}, names(source))
	_, err = source.At("other").Entry(small)
	require.ErrorContains(t, err, "`m` has no value")
	other := source.At("other").With(map[string]float64{"m": 9})
	require.Equal(t, []string{"n", "y", "p", "far"}, names(other))
	require.NoError(t, source.CheckLayout())
	require.ErrorContains(t, other.CheckLayout(), "`far` is at @group(1)")
	used, err := other.Used()
	require.NoError(t, err)
	require.Len(t, used, 2)
	_, err = other.Entry(small)
	require.ErrorContains(t, err, "take 1040 bytes")
	pipeline, err := other.Pipeline()
	require.NoError(t, err)
	require.Equal(t, [3]uint32{9, 1, 1}, pipeline.WorkgroupSize)

	// A number that two share may be the one that is missing elsewhere.
	storage := shader.Bound{Element: shader.F32, Bytes: 400}
	bound := []shader.Bound{{Bytes: 16, ID: 1}, storage, storage, storage}
	for i := range bound {
		bound[i].ID = i
	}
	require.ErrorContains(t, shader.Read("try.wgsl", strings.Replace(source.Text, "p: u32", "p: f32", 1)).CheckDispatch(small, [3]uint32{1, 1, 1}, bound),
		"at @binding(3), but your shader declares nothing there: `x` (line 2) and `y` (line 6) are both at @binding(1)")
}

func TestCheckDispatch(t *testing.T) {
	uniform, storage := shader.Bound{Bytes: 16, ID: 1}, shader.Bound{Element: shader.F32, Bytes: 400, ID: 2}
	one := [3]uint32{1, 1, 1}
	for name, c := range map[string]struct {
		text  string
		bound []shader.Bound
		size  [3]uint32
		want  string
	}{
		"fits":            {doubles, []shader.Bound{uniform, storage}, one, ""},
		"too few":         {doubles, []shader.Bound{uniform}, one, "declares `x` at @binding(1), but the host gives only @binding(0)"},
		"one too many":    {doubles, []shader.Bound{uniform, storage, storage}, one, "the host gives a storage buffer of 100 f32 (400 bytes) at @binding(2), but your shader declares nothing there"},
		"none":            {doubles, []shader.Bound{uniform, {}}, one, "gives no buffer at @binding(1)"},
		"another kind":    {doubles, []shader.Bound{storage, storage}, one, "declares `n` as var<uniform> of u32; the host gives a storage buffer"},
		"another element": {doubles, []shader.Bound{uniform, {Element: shader.U32, Bytes: 4, ID: 3}}, one, "so its elements are f32; the host gives a storage buffer of 1 u32"},
		"no whole row":    {doubles, []shader.Bound{{Bytes: 20, ID: 1}, storage}, one, "must be a multiple of 16 bytes"},
		"too small":       {strings.Replace(doubles, "array<f32>", "array<f32, 101>", 1), []shader.Bound{uniform, storage}, one, "at least 404 bytes; the host gives"},
		"the same twice":  {strings.Replace(strings.Replace(doubles, "f32(n)", "n[0]", 1), "<uniform> n: u32;", "<storage> n: array<f32>;", 1), []shader.Bound{storage, storage}, one, "the same buffer at @binding(0) and @binding(1)"},
		"no workgroups":   {doubles, []shader.Bound{uniform, storage}, [3]uint32{1, 0, 1}, "0 workgroups in y; it must be from 1 to 100"},
		"too many":        {doubles, []shader.Bound{uniform, storage}, [3]uint32{101, 1, 1}, "101 workgroups in x"},
		"a loop for ever": {strings.Replace(doubles, "x[0] =", "while (true) { } x[0] =", 1), []shader.Bound{uniform, storage}, one, "the loop on line 4 has no break"},
	} {
		source := shader.Read("try.wgsl", c.text)
		_, err := source.Entry(small)
		require.NoError(t, err, name)
		err = source.CheckDispatch(small, c.size, c.bound)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestBuffers(t *testing.T) {
	values := []float32{1, float32(math.NaN()), -0.5}
	b := shader.FloatBuffer(values)
	require.Equal(t, 3, b.Len())
	b.Floats()[0] = 7
	require.EqualValues(t, 7, values[0], "the memory is shared")
	require.True(t, b.Same(1, b.Clone()), "NaN is the same as NaN")
	require.Equal(t, []float32{7}, b.Head(1).Floats())
	longer := b.Head(1).Append(shader.FloatBuffer([]float32{8}))
	longer.Floats()[0] = 1
	require.Equal(t, []float32{1, 8}, longer.Floats())
	require.EqualValues(t, 7, values[0], "Append copies")

	uniform := shader.UniformBuffer(shader.Uint(3), shader.Float(0.25))
	require.True(t, uniform.IsUniform())
	require.Len(t, uniform.Bytes, shader.UniformRow)
	require.EqualValues(t, 3, uniform.Members()[0].Uint())
	require.EqualValues(t, 0.25, uniform.Members()[1].Float())
	require.Equal(t, []byte{3, 0, 0, 0}, uniform.Bytes[:4], "little-endian")
	require.EqualValues(t, -1, shader.Buffer{Element: shader.I32, Bytes: []byte{255, 255, 255, 255}}.At(0))
}

func TestExcerpt(t *testing.T) {
	span := findings.Region{Line: 12, Column: 3, EndLine: 12, EndColumn: 6}
	require.Equal(t, "12 | \tlet x\n   | \t ^^^", span.Excerpt("\tlet x"))
	require.Empty(t, findings.Region{}.Excerpt("nowhere"))
	long := strings.Repeat("a", 1000) + "!" + strings.Repeat("b", 1000)
	require.Regexp(t, `^1 \| …a+!b+…\n  \| +\^$`, findings.Region{Line: 1, Column: 1001, EndLine: 1, EndColumn: 1002}.Excerpt(long))
	require.Less(t, len(findings.Region{Line: 1, Column: 1, EndLine: 1, EndColumn: 2001}.Excerpt(long)), 600, "a longer excerpt is of no use")
}

// An override without a value is a mistake at its own place, with what to try.
func TestOverrideWithoutValue(t *testing.T) {
	_, err := shader.Read("try.wgsl", "override size: u32;\n@compute @workgroup_size(size) fn main() {}\n").Entry(small)
	var mistake *shader.CompileError
	require.ErrorAs(t, err, &mistake)
	require.Equal(t, findings.Kind("missing-constant"), mistake.Kind)
	require.Equal(t, 1, mistake.Line)
	require.NotEmpty(t, mistake.Hint)
}
