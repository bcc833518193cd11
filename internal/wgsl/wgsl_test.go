package wgsl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func read(t *testing.T, text string) *wgsl.Shader {
	t.Helper()
	s := wgsl.Read("try.wgsl", text, types.Options{Features: wgsl.LanguageFeatures})
	require.True(t, s.Valid(), "%v", s.Diagnostics)
	return s
}

func TestModule(t *testing.T) {
	s := read(t, `override size: u32 = 4;
struct Params { alpha: f32, n: u32 }
@group(0) @binding(2) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage> x: array<u32, 3>;
var<workgroup> t: array<f32, 8>;
struct In { @builtin(local_invocation_id) local: vec3u }
@compute @workgroup_size(size, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>, in: In) { t[0] = params.alpha + f32(x[0]); out[id.x + in.local.x].x = t[0]; }
`)
	m, err := s.Module()
	require.NoError(t, err)
	require.Equal(t, []wgsl.Binding{
		{Number: 0, Name: "params", Space: wgsl.Uniform, Line: 4, Column: 36, Type: wgsl.Type{Text: "Params", Size: 8, Members: []wgsl.Member{
			{Name: "alpha", Type: wgsl.Type{Text: "f32", Element: "f32", Size: 4}},
			{Name: "n", Offset: 4, Type: wgsl.Type{Text: "u32", Element: "u32", Size: 4}},
		}}},
		{Number: 1, Name: "x", Space: wgsl.ReadOnly, Line: 5, Column: 36, Type: wgsl.Type{Text: "array<u32, 3>", Element: "u32", Size: 12, Stride: 4}},
		{Number: 2, Name: "out", Space: wgsl.ReadWrite, Line: 3, Column: 48, Type: wgsl.Type{Text: "array<vec4f>", Element: "f32", Size: 16, Stride: 16}},
	}, m.Bindings)
	require.Equal(t, []wgsl.EntryPoint{{Name: "main", WorkgroupSize: [3]uint32{4, 2, 1}, Line: 9, Column: 4, Builtins: []string{"global_invocation_id", "local_invocation_id"}}}, m.EntryPoints)
	require.Len(t, m.Workgroup, 1)
	require.EqualValues(t, 32, m.Workgroup[0].Type.Size)

	main := s.Entry("main")
	require.NotNil(t, main)
	require.Equal(t, 2, s.Uses(main, "t"))
	require.False(t, s.Waits(main))
	require.Nil(t, s.Entry("other"))
}

func TestEndlessLoops(t *testing.T) {
	for body, endless := range map[string]bool{
		"while true { x += 1u; }":                                      true,
		"while (true) { x += 1u; }":                                    true,
		"for (;true;) { x += 1u; }":                                    true,
		"for (;true;) { if (x > 3u) { break; } x++; }":                 false,
		"while true { if (x > 3u) { return; } x++; }":                  false,
		"while true { while x < 3u { x++; break; } }":                  true,
		"while true { switch x { case 1u: { break; } default: { } } }": true,
		"while true { for (;;) { return; } }":                          false,
		"while x < 3u { x++; }":                                        false,
	} {
		m, err := read(t, "@compute @workgroup_size(1) fn main() {\n var x = 0u; "+body+"\n}").Module()
		require.NoError(t, err)
		require.Equal(t, endless, len(m.Endless) > 0, body)
		if endless {
			require.Equal(t, wgsl.Loop{Line: 2, Column: 14}, m.Endless[0], body)
		}
	}
}

func TestRewriteArrayLength(t *testing.T) {
	s := read(t, `struct S { n: u32, rest: array<f32> }
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@group(0) @binding(1) var<storage, read> s: S;
fn n(p: ptr<storage, array<f32>, read_write>) -> u32 { return arrayLength(p); }
@compute @workgroup_size(1) fn main() {
  let a = arrayLength(&x) + arrayLength( // who
    (&(x)));
  x[a] = 1.0; // arrayLength(&x)
}
`)
	replace := func(name string) (string, bool) { return "LEN_" + name, true }
	rewritten, complete := s.RewriteArrayLength(replace)
	require.False(t, complete, "a pointer's length cannot be replaced")
	require.Contains(t, rewritten, "let a = LEN_x + LEN_x\n;\n  x[a] = 1.0; // arrayLength(&x)")
	require.Contains(t, rewritten, "return arrayLength(p);")
	require.Equal(t, strings.Count(s.Source.Text, "\n"), strings.Count(rewritten, "\n"))
}

func TestReorderKeepsLinesAndPassesNumbersOn(t *testing.T) {
	const source = `const N = 4u; // main
var<workgroup> t: array<f32, N>;
@compute
@workgroup_size(N, 2)
fn main(
    @builtin(local_invocation_id) local: vec3<u32>, // who
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) me: u32,
) {
    t[me] = 1.0;
    workgroupBarrier();
}
`
	s := read(t, source)
	main := s.Entry("main")
	require.Equal(t, []wgsl.Order{wgsl.Reversed, wgsl.Scattered}, s.Orders(main))
	for _, order := range []wgsl.Order{wgsl.Reversed, wgsl.Scattered, wgsl.Forward, wgsl.Backward} {
		rewritten, ok := s.Reorder(main, [3]uint32{4, 2, 1}, order)
		require.True(t, ok)
		lines := strings.Split(rewritten, "\n")
		require.Equal(t, "    t[me] = 1.0;", lines[9], order)
		require.Equal(t, "fn wgslab_main(", lines[4], order)
		require.Equal(t, "     local: vec3<u32>, // who", lines[5], order)
		require.Contains(t, rewritten, "wgslab_main(wgslab_local, wgslab_group * wgslab_size + wgslab_local, wgslab_index);")
		again := wgsl.Read("", rewritten, types.Options{})
		if order == wgsl.Reversed || order == wgsl.Scattered {
			require.True(t, again.Valid(), "%v", again.Diagnostics)
			m, err := again.Module()
			require.NoError(t, err)
			require.Len(t, m.EntryPoints, 1)
			require.Equal(t, [3]uint32{4, 2, 1}, m.EntryPoints[0].WorkgroupSize)
		}
	}
	alone := read(t, "var<private> p: u32;\n@compute @workgroup_size(2) fn main() { p = 1u; }")
	require.Equal(t, []wgsl.Order{wgsl.Forward, wgsl.Backward}, alone.Orders(alone.Entry("main")))
}

func TestReorderDeclinesWhatItCannotTakeApart(t *testing.T) {
	s := read(t, "struct In { @builtin(workgroup_id) group: vec3<u32> }\n@compute @workgroup_size(2) fn main(in: In) {}")
	_, ok := s.Reorder(s.Entry("main"), [3]uint32{2, 1, 1}, wgsl.Reversed)
	require.False(t, ok)
}
