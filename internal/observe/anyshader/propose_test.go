package anyshader

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// What is proposed for a binding is a notation that fits it.
func TestPropose(t *testing.T) {
	for declared, want := range map[string]string{
		"var<storage> a: array<f32>;":                      "f32[65]",
		"var<storage, read_write> a: array<atomic<u32>>;":  "u32[65]",
		"var<storage> a: array<vec3f>;":                    "vec3f[65]",
		"var<storage> a: array<vec4i, 8>;":                 "vec4i[8]",
		"var<storage> a: S;":                               "u32[4]",
		"var<storage> a: array<S>;":                        "u32[260]",
		"var<storage> a: Tail;":                            "u32[66]",
		"var<storage> a: array<f16>;":                      "f16[65]",
		"var<storage, read_write> a: array<vec3h, 4>;":     "vec3h[4]",
		"var<uniform> a: vec4h;":                           "vec4h[1]:1,1,1,1",
		"var<uniform> a: H;":                               "u32:1006648320,65",
		"var<uniform> a: u32;":                             "u32:65",
		"var<uniform> a: vec2f;":                           "f32:1,1",
		"var<uniform> a: S;":                               "u32:65,65,0x3f800000,0",
		"var<uniform> a: mat2x2f;":                         "f32:1,1,1,1",
		"var<uniform> a: array<vec4f, 4096>;":              "vec4f[4096]",
		"var<storage> a: array<array<f32, 65536>, 65536>;": "",
		"var a: texture_2d<f32>;":                          "texture[16,16]",
		"var a: texture_storage_3d<r32float, write>;":      "texture[16,16,4]",
		"var a: texture_multisampled_2d<f32>;":             "texture[16,16;samples=4]",
		"var a: texture_external;":                         "",
		"var<storage> a: buffer;":                          "u32[65]",
		"var<uniform> a: buffer<64>;":                      "u32[16]",
		"var a: sampler;":                                  "sampler",
	} {
		source := shader.ReadWith("a.wgsl", "enable f16;\nstruct S { n: vec2u, scale: f32 }\nstruct H { a: f16, b: f16, n: u32 }\nstruct Tail { n: u32, list: array<u32> }\n@group(0) @binding(0) "+declared, types.AllFeatures)
		require.Nil(t, source.Unrunnable(), declared)
		got := Propose(source.Shader().Info.Globals[0], 65, false)
		require.Equal(t, want, got, declared)
		if got != "" {
			b, err := Parse("0="+got, nil)
			require.NoError(t, err, declared)
			require.GreaterOrEqual(t, len(b.Data), int(types.SizeOf(source.Shader().Info.Globals[0].Store())), declared)
		}
	}
}

// A notation that Write returns gives the same bytes again.
func TestWriteAndParse(t *testing.T) {
	floats := []float32{0.1, -1e-30, 16777217, float32(math.Inf(1)), 3.4e38, -7654.25}
	ints := []uint32{0, 1, 0xBAD0BAD0, math.MaxUint32}
	for want, buffer := range map[string]struct {
		of   types.Type
		data []byte
	}{
		"f32:0.1,-1e-30,1.6777216e+07,+Inf,3.4e+38,-7654.25": {types.F32, shader.FloatBuffer(floats).Bytes},
		"u32:0,1,3134241488,4294967295":                      {types.U32, shader.UintBuffer(ints).Bytes},
		"i32:0,1,-1160725808,-1":                             {types.I32, shader.UintBuffer(ints).Bytes},
		"u32[4]":                                             {types.U32, shader.UintBuffer([]uint32{0, 1, 2, 3}).Bytes},
	} {
		got, counted := Write(buffer.of, buffer.data, 6)
		require.Equal(t, want, got)
		require.False(t, counted)
		b, err := Parse("0="+got, nil)
		require.NoError(t, err)
		require.Equal(t, buffer.data, b.Data)
	}
	for _, v := range []float32{0, -2.5, float32(math.NaN())} {
		data := shader.FloatBuffer([]float32{v, v, v, v, v, v, v}).Bytes
		got, _ := Write(types.F32, data, 6)
		b, err := Parse("0="+got, nil)
		require.NoError(t, err, got)
		require.Less(t, len(got), 12)
		require.Equal(t, b.Values()[6].String(), (&Argument{Element: types.F32, Data: data}).Values()[6].String())
		require.Len(t, b.Data, len(data))
	}
	for text, says := range map[string]string{"0=f32[3]:1,2": "not one f32", "0=f32[x]:1": "not a number of elements", "0=vec4f[3]:1,2": "do not fill"} {
		_, err := Parse(text, nil)
		require.ErrorContains(t, err, says)
	}
	pairs, err := Parse("0=vec2u[2]:7,9", nil)
	require.NoError(t, err)
	require.Equal(t, shader.UintBuffer([]uint32{7, 9, 7, 9}).Bytes, pairs.Data)
	got, counted := Write(types.F32, shader.FloatBuffer(floats).Bytes, 5)
	require.Equal(t, "f32[6]", got)
	require.True(t, counted)
	nan, _ := Write(types.F32, shader.FloatBuffer([]float32{float32(math.NaN())}).Bytes, 5)
	require.Equal(t, "f32:NaN", nan)
}
