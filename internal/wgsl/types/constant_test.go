package types_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Each line must be true by the specification.
var trueConstants = []string{
	"1 + 2 * 3 == 7", "7 / 2 == 3", "-7 / 2 == -3", "-7 % 3 == -1", "7.5 % 2 == 1.5", "1 << 4 == 16",
	"-8 >> 1 == -4", "0xF0u >> 4 == 15u", "~0u == 4294967295u", "~5 == -6", "(6 & 3) == 2", "(6 ^ 3) == 5",
	"2147483647i + 1i == i32(-2147483648)", "0u - 1u == 4294967295u", "-(-2147483647i - 1i) == -2147483647i - 1i",
	"u32(3.9) == 3u", "i32(-3.9) == -3i", "u32(-1.0) == 0u", "u32(1e20f) == 4294967040u", "i32(1e20f) == 2147483520i",
	"u32(-1i) == 4294967295u", "f32(true) == 1.0", "f32(5000000000) == 5e9", "bool(0.0) == false", "bool(2)",
	"all(vec3(1, 2, 3) + 1 == vec3(2, 3, 4))", "vec4(1, vec2(2, 3), 4).zyx.y == 2", "all(vec3f() == vec3f(0))",
	"mat2x2(1, 2, 3, 4)[1][0] == 3", "all(mat2x2(1, 2, 3, 4) * vec2(1, 1) == vec2(4, 6))",
	"all(vec2(1, 1) * mat2x2(1, 2, 3, 4) == vec2(3, 7))",
	"all((mat2x3(1, 2, 3, 4, 5, 6) * mat2x2(1, 0, 0, 1))[1] == vec3(4, 5, 6))",
	"array(1, 2, 3)[2] == 3", "array<f32, 2>()[1] == 0", "array(array(1, 2), array(3, 4))[1][0] == 3",
	"(false && (1 / 0 == 1)) == false", "true || 1 / 0 == 1",
	"abs(-2) == 2", "sign(-2.5) == -1", "clamp(5, 1, 3) == 3", "min(1, 2.5) == 1.0", "max(vec2(1, 5), vec2(3, 2)).x == 3",
	"round(2.5) == 2", "round(3.5) == 4", "fract(-1.25) == 0.75", "trunc(-1.5) == -1", "ceil(1.2) == 2", "floor(-1.2) == -2",
	"dot(vec3(1, 2, 3), vec3(4, 5, 6)) == 32", "all(cross(vec3(1, 0, 0), vec3(0, 1, 0)) == vec3(0, 0, 1))",
	"length(vec2(3, 4)) == 5", "distance(vec2(1, 1), vec2(4, 5)) == 5", "all(normalize(vec2(3, 0)) == vec2(1, 0))",
	"mix(1, 3, 0.5) == 2", "step(1, 2) == 1", "smoothstep(0, 1, 0.5) == 0.5", "saturate(1.5) == 1", "fma(2, 3, 4) == 10",
	"ldexp(1.5, 3) == 12", "frexp(8.0).exp == 4", "frexp(8.0).fract == 0.5", "modf(-1.5).whole == -1", "modf(-1.5).fract == -0.5",
	"countOneBits(0xFFu) == 8u", "countLeadingZeros(1i) == 31i", "countTrailingZeros(8u) == 3u", "firstLeadingBit(-1i) == -1i",
	"firstLeadingBit(-2i) == 0i", "firstLeadingBit(8u) == 3u", "firstTrailingBit(0u) == 4294967295u", "reverseBits(1u) == 0x80000000u",
	"extractBits(0xABCDu, 4u, 8u) == 0xBCu", "extractBits(-1i, 0u, 4u) == -1i", "insertBits(0u, 0xFu, 4u, 4u) == 0xF0u",
	"insertBits(0u, 0xFFFFFFFFu, 0u, 32u) == 0xFFFFFFFFu",
	"pack4x8unorm(vec4(0, 1, 0.5, 1)) == 0xFF80FF00u", "pack2x16float(vec2(1, -2)) == 0xC0003C00u", "unpack4x8snorm(0x7Fu).x == 1",
	"unpack2x16float(0x3C00u).x == 1", "pack4xI8(vec4i(-1, 2, 3, 4)) == 0x040302FFu", "unpack4xU8(0x04030201u).w == 4u",
	"pack4xI8Clamp(vec4i(-200, 200, 0, 1)) == 0x01007F80u", "dot4I8Packed(0xFFu, 0x02u) == -2i", "dot4U8Packed(0xFFu, 0x02u) == 510u",
	"bitcast<u32>(1f) == 0x3F800000u", "bitcast<f32>(0x40000000u) == 2", "bitcast<vec2f>(vec2u(0, 0x3F800000u)).y == 1",
	"all(select(vec2(1, 2), vec2(3, 4), vec2(true, false)) == vec2(3, 2))", "determinant(mat3x3(2, 0, 0, 0, 3, 0, 0, 0, 4)) == 24",
	"transpose(mat2x3(1, 2, 3, 4, 5, 6))[2][1] == 6", "quantizeToF16(1.0001f) == 1", "degrees(0) == 0",
	"all(reflect(vec2(1, -1), vec2(0, 1)) == vec2(1, 1))", "all(faceForward(vec2(1, 1), vec2(1, 0), vec2(1, 0)) == vec2(-1, -1))",
	"exp2(3) == 8", "sqrt(2.25) == 1.5", "log2(8) == 3", "pow(2, 10) == 1024", "atan2(0, 1) == 0", "inverseSqrt(4) == 0.5",
	"16777217.0f == 16777216.0f", "0.1f == 0.1", "vec2(1, 2).x == 1",
}

func TestConstants(t *testing.T) {
	for _, text := range trueConstants {
		_, diagnostics := check(t, "const_assert "+text+";")
		assert.Empty(t, texts(diagnostics), text)
		_, diagnostics = check(t, "const_assert !("+text+");")
		assert.Equal(t, []string{"assertion-failed"}, codes(diagnostics), text)
	}
}

func TestConstantFaults(t *testing.T) {
	for text, code := range map[string]string{
		"1 / 0":                     "const-division-by-zero",
		"1u % 0u":                   "const-division-by-zero",
		"1.0 / 0.0":                 "const-division-by-zero",
		"9223372036854775807 + 1":   "const-overflow",
		"-9223372036854775807 - 2":  "const-overflow",
		"9223372036854775807 * 2":   "const-overflow",
		"(-2147483647i - 1i) / -1i": "const-overflow",
		"3e38f * 10f":               "const-overflow",
		"1e308 * 10":                "const-overflow",
		"i32(2147483648)":           "const-range",
		"u32(-1)":                   "const-range",
		"1i + 3000000000":           "const-range",
		"f32(1e39)":                 "const-range",
		"f32(3.40282347e38)":        "const-range",
		"vec2f(3.4028235e38, 1)":    "const-range",
		"1f + 3.4028235e38":         "const-range",
		"1u << 32u":                 "shift-range",
		"1i << 31u":                 "const-overflow",
		"0xF0000000u << 1":          "const-overflow",
		"sqrt(-1)":                  "const-domain",
		"log(0)":                    "const-overflow",
		"acos(2)":                   "const-domain",
		"normalize(vec2(0, 0))":     "const-domain",
		"clamp(1, 3, 2)":            "const-domain",
		"smoothstep(1, 1, 1)":       "const-domain",
		"extractBits(1u, 30u, 3u)":  "const-range",
		"ldexp(1f, 129)":            "const-range",
		"vec3(1, 2, 3)[3]":          "index-range",
		"array(1, 2)[-1]":           "index-range",
		"bitcast<f32>(0x7F800000u)": "const-overflow",
		"quantizeToF16(70000f)":     "const-range",
		"mat2x2(1e308, 0, 0, 1) * vec2(1e308, 1)": "const-overflow",
	} {
		_, diagnostics := check(t, "const c = "+text+";")
		assert.Equal(t, []string{code}, codes(diagnostics), "%s: %v", text, texts(diagnostics))
	}
}

// A mistake in the known arguments is an error even if the others are unknown.
func TestPartlyKnownFaults(t *testing.T) {
	for _, text := range []string{"x / 0", "x % 0", "x << 33", "x >> 32", "clamp(x, 3, 2)", "a[4]", "extractBits(x, 31, 2)"} {
		_, diagnostics := check(t, "fn f(x: u32) -> u32 { var a: array<u32, 4>; a[0] = 1; return "+text+"; }")
		assert.Len(t, diagnostics, 1, text)
	}
	accept(t, "fn f(x: f32) -> f32 { return x / 0; }")
}

// i32 and u32 wrap as Go's int32 and uint32 do (§ 6.2.3).
func TestIntegersWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Int32().Draw(t, "x"), rapid.Int32().Draw(t, "y")
		op := rapid.SampledFrom([]string{"+", "-", "*"}).Draw(t, "op")
		signed := map[string]int32{"+": x + y, "-": x - y, "*": x * y}[op]
		u, v := uint32(x), uint32(y)
		unsigned := map[string]uint32{"+": u + v, "-": u - v, "*": u * v}[op]
		text := fmt.Sprintf("const_assert i32(%d) %s i32(%d) == i32(%d);\nconst_assert %du %s %du == %du;", x, op, y, signed, u, op, v, unsigned)
		file, _ := syntax.Parse(syntax.NewSource("", text))
		_, diagnostics := types.Check(file, types.Options{})
		if len(diagnostics) > 0 {
			t.Fatalf("%s\n%v", text, texts(diagnostics))
		}
	})
}
