package types_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The numbers are those of § 14.4.1 and § 14.4.2 of the specification.
func TestLayout(t *testing.T) {
	info := accept(t, `
struct A { u: f32, v: f32, w: vec2f, x: f32 }
struct B {
  a: vec2f, b: vec3f, c: f32, d: f32, e: A, f: vec3f, g: array<A, 3>, h: i32,
}
struct C { @align(16) a: f32, @size(32) b: vec2u, c: array<vec3f> }
@group(0) @binding(0) var<storage> b: B;`)
	layout := map[string][][3]uint64{}
	sizes := map[string][2]uint64{}
	for _, s := range info.Structs {
		for _, m := range s.Members {
			layout[s.Name] = append(layout[s.Name], [3]uint64{m.Offset, m.Size, m.Align})
		}
		sizes[s.Name] = [2]uint64{s.Size, s.Align}
	}
	assert.Equal(t, map[string][][3]uint64{
		"A": {{0, 4, 4}, {4, 4, 4}, {8, 8, 8}, {16, 4, 4}},
		"B": {{0, 8, 8}, {16, 12, 16}, {28, 4, 4}, {32, 4, 4}, {40, 24, 8}, {64, 12, 16}, {80, 72, 8}, {152, 4, 4}},
		"C": {{0, 4, 16}, {8, 32, 8}, {48, 16, 16}},
	}, layout)
	assert.Equal(t, map[string][2]uint64{"A": {24, 8}, "B": {160, 16}, "C": {64, 16}}, sizes)
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		t           types.Type
		size, align uint64
		text        string
	}{
		{types.F16, 2, 2, "f16"},
		{types.Bool, 4, 4, "bool"},
		{types.VectorOf(2, types.F32), 8, 8, "vec2f"},
		{types.VectorOf(3, types.U32), 12, 16, "vec3u"},
		{types.VectorOf(3, types.F16), 6, 8, "vec3h"},
		{types.VectorOf(4, types.Bool), 16, 16, "vec4<bool>"},
		{types.MatrixOf(2, 3, types.F32), 32, 16, "mat2x3f"},
		{types.MatrixOf(4, 2, types.F16), 16, 4, "mat4x2h"},
		{&types.Atomic{Elem: types.I32}, 4, 4, "atomic<i32>"},
		{&types.Array{Elem: types.VectorOf(3, types.F32), Count: 5}, 80, 16, "array<vec3f, 5>"},
		{&types.Array{Elem: types.F32}, 4, 4, "array<f32>"},
		{&types.Array{Elem: &types.Array{Elem: types.F32, Count: 1 << 40}, Count: 1 << 40}, 1<<64 - 1, 4, ""},
	} {
		assert.Equal(t, c.size, types.SizeOf(c.t), c.text)
		assert.Equal(t, c.align, types.AlignOf(c.t), c.text)
		if c.text != "" {
			assert.Equal(t, c.text, c.t.String())
		}
	}
}

func TestUniformLayout(t *testing.T) {
	const text = `
struct Inner { x: f32 }
struct Outer { a: Inner, b: f32 }
@group(0) @binding(0) var<uniform> u: Outer;`
	_, diagnostics := checkWith(t, text, 0)
	require.Equal(t, []string{"uniform-layout"}, codes(diagnostics))
	_, diagnostics = checkWith(t, text, types.FeatureUniformStandardLayout)
	require.Empty(t, diagnostics)
}
