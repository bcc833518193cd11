package wgsl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
)

func TestParse(t *testing.T) {
	m, err := wgsl.Scan(`
// A comment with @compute fn wrong() {}
/* a /* nested */ @group(9) */
const WIDTH: u32 = 8u;
struct Params { alpha: f32, n: u32, };

@compute @workgroup_size(WIDTH, WIDTH / 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3u,) {
	let unused = helper(1.0);
}
@binding(1) @group(0) var<storage,read_write>y:array<f32>;
@group(0)@binding(0)var<uniform>params:Params;
@group(0)
	@binding( /* the third */ 2 )
	var<storage> x : array<vec4<f32>>;
@group(1) @binding(0) var picture: texture_2d<f32>;
var<workgroup> tile: array<array<f32, WIDTH>, 4>; var<private> seed: u32 = 7u;
fn helper(v: f32) -> f32 { if (v > 0.0) { return v; } return -v; }
@workgroup_size(64) @compute fn second() {}
@fragment fn third() {}
`).Module()
	require.NoError(t, err)
	params := m.Bindings[0].Type
	require.Equal(t, []wgsl.Binding{
		{Group: 0, Number: 0, Name: "params", Space: wgsl.Uniform, Type: params, Line: 12, Column: 33},
		{Group: 0, Number: 1, Name: "y", Space: wgsl.ReadWrite, Type: wgsl.Type{Text: "array<f32>", Element: "f32", Size: 4, Align: 4, Stride: 4, Runtime: true}, Line: 11, Column: 46},
		{Group: 0, Number: 2, Name: "x", Space: wgsl.ReadOnly, Type: wgsl.Type{Text: "array<vec4<f32>>", Element: "f32", Size: 16, Align: 16, Stride: 16, Runtime: true}, Line: 15, Column: 15},
		{Group: 1, Number: 0, Name: "picture", Space: wgsl.Handle, Type: wgsl.Type{Text: "texture_2d<f32>"}, Line: 16, Column: 27},
	}, m.Bindings)
	require.Equal(t, uint64(8), params.Size)
	require.Equal(t, []wgsl.EntryPoint{
		{Name: "main", WorkgroupSize: [3]uint32{8, 4, 1}, Line: 8, Column: 4, Params: []wgsl.Param{{Name: "id", Builtin: "global_invocation_id"}, {Name: "count", Builtin: "num_workgroups"}}},
		{Name: "second", WorkgroupSize: [3]uint32{64, 1, 1}, Line: 19, Column: 33},
	}, m.EntryPoints)
	require.Len(t, m.Workgroup, 1)
	require.Equal(t, "tile", m.Workgroup[0].Name)
	require.Equal(t, uint64(128), m.Workgroup[0].Type.Size)
	require.Equal(t, 17, m.Workgroup[0].Line)

	main, found := m.Entry("main")
	require.True(t, found)
	require.Equal(t, m.EntryPoints[0], main)
	_, found = m.Entry("third")
	require.False(t, found, "no compute entry point")
}

// Wherever a shader breaks its lines, and however, columns count characters.
func TestPositions(t *testing.T) {
	for before, want := range map[string][2]int{
		"":                          {1, 36},
		"\n\n":                      {3, 36},
		"\r\n\r\n":                  {3, 36},
		"\t\t":                      {1, 38},
		"/* größe → */":             {1, 49},
		"/*\n*/ ":                   {2, 39},
		"// a comment\n":            {2, 36},
		"// ends at a form feed\f":  {1, 59},
		"\u200e\u2028":              {1, 38},
		"const größe = 3; ":         {1, 53},
		"const a = 1.5e-3f+0x1p+2;": {1, 61},
		"enable f16; requires x;\ndiagnostic(off, a); const_assert 1 < 2;\n": {3, 36},
	} {
		m, err := wgsl.Scan(before + "@group(0) @binding(0) var<storage> x: f32;").Module()
		require.NoError(t, err, before)
		require.Len(t, m.Bindings, 1, before)
		require.Equal(t, want, [2]int{m.Bindings[0].Line, m.Bindings[0].Column}, before)
	}
}

func TestTooDeep(t *testing.T) {
	ordinary := []string{
		strings.Repeat("fn f() { if (a < b) { c = d + e; } else { c = -d; } }\n", 5000),
		"const a = array(" + strings.Repeat("1.0 * 2.0, ", 50_000) + ");",
		"fn f() { " + strings.Repeat("x = x * 2.0 + y[0];", 50_000) + " }",
		"fn f() { " + strings.Repeat("if (a < b) { c(); } ", 50_000) + " }",
		"fn f() { x = 0.0" + strings.Repeat(" + a[1] * b[1]", 784) + "; }",
		"}}}))]]" + strings.Repeat("{}", 50_000),
	}
	for _, source := range ordinary {
		_, _, tooDeep := wgsl.Scan(source).TooDeep()
		require.False(t, tooDeep, source[:40])
	}
	for _, repeated := range []string{"(", "[", "{", "+1", "&&a", "if a {", "if a {} else ", "*&", "array<", ".x"} {
		line, column, tooDeep := wgsl.Scan("\n" + strings.Repeat(repeated, 8000)).TooDeep()
		require.True(t, tooDeep, repeated)
		require.Equal(t, 2, line)
		require.Greater(t, column, 900)
	}
}

// FuzzParse: whatever the source, every reader of this package returns, soon,
// and the rewriting keeps its lines.
func FuzzParse(f *testing.F) {
	shaders, err := filepath.Glob("../../shaders/*.wgsl")
	require.NoError(f, err)
	require.NotEmpty(f, shaders)
	for _, path := range shaders {
		source, err := os.ReadFile(path)
		require.NoError(f, err)
		_, err = wgsl.Scan(string(source)).Module()
		require.NoError(f, err)
		f.Add(string(source))
	}
	for _, seed := range []string{"@", "fn", "struct S {", "var<", "/* /*", "const a = a;", "arrayLength(&(", "for (;;", "let ;", "array<array<", "@group(0) @binding(0) var<storage> x: vec3<", "\x80", "0x", "1e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		started := time.Now()
		_, _ = wgsl.Scan(source).Module()
		wgsl.Scan(source).TooDeep()
		wgsl.Scan(source).Breaches()
		wgsl.Scan(source).Tokens()
		functions := wgsl.Scan(source).Functions()
		functions.DivergentBarriers()
		functions.Waits()
		for _, order := range functions.Orders() {
			functions.Reorder([3]uint32{64, 1, 1}, order)
		}
		rewritten, _ := wgsl.Scan(source).RewriteArrayLength(func(name string) (string, bool) { return "1u", name != "x" })
		require.Equal(t, strings.Count(source, "\n"), strings.Count(rewritten, "\n"))
		require.Less(t, time.Since(started), 5*time.Second)
	})
}
