package wgsl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
	"pgregory.net/rapid"
)

// typeOf is the layout of a type as a binding has it.
func typeOf(t require.TestingT, declarations, typ string) wgsl.Type {
	m, err := wgsl.Scan(declarations + "@group(0) @binding(0) var<storage, read_write> x: " + typ + ";").Module()
	require.NoError(t, err, typ)
	require.Len(t, m.Bindings, 1)
	return m.Bindings[0].Type
}

// The table "Alignment and size for host-shareable types" of the WGSL
// specification, section "Alignment and Size".
func TestAlignmentAndSize(t *testing.T) {
	for typ, want := range map[string]struct {
		align, size uint64
		element     string
	}{
		"i32": {4, 4, "i32"}, "u32": {4, 4, "u32"}, "f32": {4, 4, "f32"}, "f16": {2, 2, "f16"},
		"atomic<u32>": {4, 4, "u32"}, "atomic<i32>": {4, 4, "i32"},
		"vec2<i32>": {8, 8, "i32"}, "vec2<u32>": {8, 8, "u32"}, "vec2<f32>": {8, 8, "f32"}, "vec2<f16>": {4, 4, "f16"},
		"vec3<i32>": {16, 12, "i32"}, "vec3<u32>": {16, 12, "u32"}, "vec3<f32>": {16, 12, "f32"}, "vec3<f16>": {8, 6, "f16"},
		"vec4<i32>": {16, 16, "i32"}, "vec4<u32>": {16, 16, "u32"}, "vec4<f32>": {16, 16, "f32"}, "vec4<f16>": {8, 8, "f16"},
		"mat2x2<f32>": {8, 16, "f32"}, "mat2x2<f16>": {4, 8, "f16"},
		"mat3x2<f32>": {8, 24, "f32"}, "mat3x2<f16>": {4, 12, "f16"},
		"mat4x2<f32>": {8, 32, "f32"}, "mat4x2<f16>": {4, 16, "f16"},
		"mat2x3<f32>": {16, 32, "f32"}, "mat2x3<f16>": {8, 16, "f16"},
		"mat3x3<f32>": {16, 48, "f32"}, "mat3x3<f16>": {8, 24, "f16"},
		"mat4x3<f32>": {16, 64, "f32"}, "mat4x3<f16>": {8, 32, "f16"},
		"mat2x4<f32>": {16, 32, "f32"}, "mat2x4<f16>": {8, 16, "f16"},
		"mat3x4<f32>": {16, 48, "f32"}, "mat3x4<f16>": {8, 24, "f16"},
		"mat4x4<f32>": {16, 64, "f32"}, "mat4x4<f16>": {8, 32, "f16"},
		"vec2f": {8, 8, "f32"}, "vec3i": {16, 12, "i32"}, "vec4u": {16, 16, "u32"}, "vec4h": {8, 8, "f16"}, "mat3x3f": {16, 48, "f32"}, "mat2x4h": {8, 16, "f16"},
		"array<f32, 5>": {4, 20, "f32"}, "array<vec3<f32>, 2>": {16, 32, "f32"}, "array<mat3x3<f32>, 3>": {16, 144, "f32"},
		"array<array<u32, 3>, 4>": {4, 48, "u32"}, "array<atomic<u32>, 7>": {4, 28, "u32"},
	} {
		got := typeOf(t, "", typ)
		require.Equal(t, []any{want.align, want.size, want.element, typ}, []any{got.Align, got.Size, got.Element, got.Text}, typ)
		require.False(t, got.Runtime, typ)
	}
}

func TestRuntimeArrays(t *testing.T) {
	for typ, want := range map[string]wgsl.Type{
		"array<f32>":       {Text: "array<f32>", Element: "f32", Size: 4, Align: 4, Stride: 4, Runtime: true},
		"array<vec3<f32>>": {Text: "array<vec3<f32>>", Element: "f32", Size: 16, Align: 16, Stride: 16, Runtime: true},
	} {
		require.Equal(t, want, typeOf(t, "", typ))
	}
	s := typeOf(t, "struct S { n: u32, data: array<vec3<f32>>, }", "S")
	require.True(t, s.Runtime)
	require.Equal(t, []uint64{32, 16}, []uint64{s.Size, s.Align}, "with one element")
	require.Equal(t, "", s.Element, "its members differ")
	require.Equal(t, uint64(16), s.Members[1].Offset)
}

// The two examples of the specification, section "Structure Member Layout".
func TestStructureMemberLayout(t *testing.T) {
	const plain = `
struct A { u: f32, v: f32, w: vec2<f32>, x: f32 }
struct B { a: vec2<f32>, b: vec3<f32>, c: f32, d: f32, e: A, f: vec3<f32>, g: array<A, 3>, h: i32 }`
	a, b := typeOf(t, plain, "A"), typeOf(t, plain, "B")
	require.Equal(t, []uint64{8, 24}, []uint64{a.Align, a.Size})
	require.Equal(t, []uint64{0, 4, 8, 16}, offsets(a))
	require.Equal(t, []uint64{16, 160}, []uint64{b.Align, b.Size})
	require.Equal(t, []uint64{0, 16, 28, 32, 40, 64, 80, 152}, offsets(b))

	const attributed = `
struct A { u: f32, v: f32, w: vec2<f32>, @size(16) x: f32 }
struct B { a: vec2<f32>, b: vec3<f32>, c: f32, d: f32, @align(16) e: A, f: vec3<f32>, g: array<A, 3>, h: i32 }`
	a, b = typeOf(t, attributed, "A"), typeOf(t, attributed, "B")
	require.Equal(t, []uint64{8, 32}, []uint64{a.Align, a.Size})
	require.Equal(t, []uint64{16, 208}, []uint64{b.Align, b.Size})
	require.Equal(t, []uint64{0, 16, 28, 32, 48, 80, 96, 192}, offsets(b))
}

func offsets(t wgsl.Type) []uint64 {
	var all []uint64
	for _, m := range t.Members {
		all = append(all, m.Offset)
	}
	return all
}

// Whatever a struct's members: each starts at a multiple of its alignment, none
// overlaps the next, and the struct is a multiple of the largest alignment
// (section "Structure Member Layout").
func TestStructLayoutProperties(t *testing.T) {
	types := []string{"f32", "u32", "vec2<f32>", "vec3<u32>", "vec4f", "mat2x2<f32>", "mat3x3f", "array<f32, 3>", "array<vec3f, 2>", "atomic<u32>"}
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.SliceOfN(rapid.SampledFrom(types), 1, 8).Draw(t, "members")
		var body strings.Builder
		for i, typ := range members {
			fmt.Fprintf(&body, "m%d: %s, ", i, typ)
		}
		s := typeOf(t, "struct S { "+body.String()+"}", "S")
		require.Len(t, s.Members, len(members))
		end, align := uint64(0), uint64(0)
		for i, m := range s.Members {
			require.Equal(t, members[i], m.Type.Text)
			require.Zero(t, m.Offset%m.Type.Align)
			require.GreaterOrEqual(t, m.Offset, end)
			require.Less(t, m.Offset, end+m.Type.Align, "no more padding than needed")
			end, align = m.Offset+m.Type.Size, max(align, m.Type.Align)
		}
		require.Equal(t, align, s.Align)
		require.Zero(t, s.Size%align)
		require.GreaterOrEqual(t, s.Size, end)
		require.Less(t, s.Size, end+align)

		of := typeOf(t, "struct S { "+body.String()+"}", "array<S, 3>")
		require.Equal(t, []uint64{s.Size, 3 * s.Size, align}, []uint64{of.Stride, of.Size, of.Align})
	})
}

func TestDeclaredTypes(t *testing.T) {
	for declarations, want := range map[string]uint64{
		"alias T = f32;": 4,
		"alias T = array<U>; alias U = V; struct V { a: W } alias W = vec4<X>; alias X = f32;": 16,
		"struct T { a: f32 }":   4,
		"struct T { a: f32, };": 4,
		"struct matrix { a: vecs } struct vecs { a: texture_like } struct texture_like { a: f32 } alias T = matrix;": 4,
		"struct T { @size(SIZE) a: f32, @align(2 * 16) b: f32 } const SIZE = 20;":                                    64,
	} {
		got := typeOf(t, declarations, "T")
		require.Equal(t, want, got.Size, declarations)
		require.Equal(t, "T", got.Text)
	}
}

func TestConstants(t *testing.T) {
	const declarations = `
const N = 4; const M: u32 = 0x10u; override O: u32 = 3u; @id(7) override P = 5; const Q = R + 1; const R = i32(2);
`
	for length, want := range map[string]uint64{
		"7": 7, "7u": 7, "7i": 7, "0x1F": 31, "0x1fu": 31, "N": 4, "M": 16, "O": 3, "P": 5, "Q": 3,
		"N*2": 8, "N + M": 20, "M - N": 12, "2 + 3 * 4": 14, "(2 + 3) * 4": 20, "17 / 5": 3, "17 % 5": 2, "20 - 5 - 5": 10,
		"1 << 4": 16, "(256 >> 3)": 32, "(256 >> N)": 16, "12 & 10": 8, "12 | 3": 15, "12 ^ 10": 6, "(-3) * (-4)": 12, "~-8": 7, "u32(N)": 4, "u32(N + 1) * 2u": 10,
		"N /* four */ * // times\n 2": 8,
	} {
		got := typeOf(t, declarations, "array<f32, "+length+">")
		require.Equal(t, 4*want, got.Size, length)
		nested := typeOf(t, declarations, "array<array<f32, "+length+">, 2>")
		require.Equal(t, 8*want, nested.Size, length)
	}
}

func TestLayoutMistakes(t *testing.T) {
	doubling := "const c0 = 1;"
	for i := range 60 { // 2^60 additions, unless each constant is evaluated once
		doubling += fmt.Sprintf("const c%d = c%d + c%d;", i+1, i, i)
	}
	for source, want := range map[string]string{
		"var<storage> x: T;":                                            "line 1: variable x: unknown type T",
		"\nvar<storage> x: array<f32, N>;":                              `line 2: variable x: array length: cannot tell the value of "N" before the shader runs`,
		"var<storage> x: A; alias A = B; alias B = A;":                  "nests more than 32 deep",
		"var<storage> x: A; struct A { a: A }":                          "nests more than 32 deep",
		"var<storage> x: array<f32, a>; const a = b; const b = a;":      "refers to itself",
		"var<storage> x: array<f32, 1/0>;":                              "division by zero",
		"var<storage> x: array<f32, 1-2>;":                              "1-2 is -1, which is no u32",
		"var<storage> x: array<f32, 1 +>;":                              "cannot tell",
		"var<storage> x: array<f32, (1>;":                               "not closed",
		"var<storage> x: array<f32, 1 2>;":                              "cannot evaluate",
		"var<storage> x: array<array<vec4f, 4294967295>, 4294967295>;":  "takes more bytes than any device has",
		"var<storage> x: vec3<T>;":                                      "unknown type T",
		"var<storage> x: vec3;":                                         "cannot tell its scalar type",
		"var<storage> x:;":                                              "its type is missing",
		"x = 3;":                                                        `line 1: did not expect "x" at module scope`,
		"var<storage> x: array<f32, c60>;" + doubling:                   "more than 32 others in a row",
		"var<storage> x: array<f32, c25>;" + doubling:                   "",
		"var<storage> x: array<f32, " + strings.Repeat("(", 99) + "1>;": "nests more than 32 deep",
	} {
		_, err := wgsl.Scan("@group(0) @binding(0) " + source).Module()
		if strings.HasPrefix(source, "x =") {
			_, err = wgsl.Scan(source).Module()
		}
		if want == "" {
			require.NoError(t, err, source)
			continue
		}
		require.ErrorContains(t, err, want, source)
	}
}
