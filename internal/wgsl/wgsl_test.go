package wgsl_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func read(t *testing.T, text string) *wgsl.Shader {
	t.Helper()
	s := wgsl.Read("try.wgsl", text, types.Options{Features: wgsl.LanguageFeatures})
	require.True(t, s.Valid(), "%v", s.Findings)
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
	m := s.Module(nil)
	require.Equal(t, []wgsl.Binding{
		{Number: 0, Name: "params", Space: wgsl.Uniform, Line: 4, Column: 36, Type: wgsl.Type{Text: "Params", Size: 8, Members: []wgsl.Member{
			{Name: "alpha", Type: wgsl.Type{Text: "f32", Element: "f32", Size: 4}},
			{Name: "n", Offset: 4, Type: wgsl.Type{Text: "u32", Element: "u32", Size: 4}},
		}}},
		{Number: 1, Name: "x", Space: wgsl.ReadOnly, Line: 5, Column: 36, Type: wgsl.Type{Text: "array<u32, 3>", Element: "u32", Size: 12, Stride: 4}},
		{Number: 2, Name: "out", Space: wgsl.ReadWrite, Line: 3, Column: 48, Type: wgsl.Type{Text: "array<vec4f>", Element: "f32", Size: 16, Stride: 16}},
	}, m.Bindings)
	require.Equal(t, []wgsl.EntryPoint{{Name: "main", WorkgroupSize: [3]uint32{4, 2, 1}, Line: 9, Column: 4, Builtins: []string{"global_invocation_id", "local_invocation_id"}}}, m.EntryPoints)
	pipeline, _ := s.Info.Pipeline(s.Entry("main"), nil)
	require.EqualValues(t, 32, pipeline.WorkgroupBytes())

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
		m := read(t, "@compute @workgroup_size(1) fn main() {\n var x = 0u; "+body+"\n}").Module(nil)
		require.Equal(t, endless, len(m.Endless) > 0, body)
		if endless {
			require.Equal(t, wgsl.Loop{Line: 2, Column: 14}, m.Endless[0], body)
		}
	}
}
