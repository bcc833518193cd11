package wgsl_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
)

func TestBreaches(t *testing.T) {
	for statement, want := range map[string]string{
		// What browsers refuse.
		"let x = word >> 8u & 0xffu;":                    "&",
		"let x = word >> (8u * lane) & 0xffu;":           "&",
		"let x = a & b | c;":                             "|",
		"let x = a & b == c;":                            "==",
		"let x = a ^ b + c;":                             "+",
		"let x = 1u << 8u * i;":                          "*",
		"let x = i + 1u << 2u;":                          "<<",
		"let x = a << 1u << 2u;":                         "<<",
		"if a < b && c < d || e { }":                     "||",
		"if (a < b && c < d || e) { }":                   "||",
		"x[i & 3u + 1u] = 0.0;":                          "+",
		"let x = f(1u, a >> b & c);":                     "&",
		"let m = -3.40282347e+38;":                       "3.40282347e+38",
		"let m = 3.4028235e38f;":                         "3.4028235e38f",
		"let m = 1e39;":                                  "1e39",
		"return word >> 8u & 0xffu;":                     "&",
		"let x = bitcast<vec2<u32>>(y) >> z & vec2(1u);": "&",
		// What they take.
		"let x = (word >> 8u) & 0xffu;":                "",
		"let x = a & b & c;":                           "",
		"let x = a * b + c - d / e % f;":               "",
		"x >>= a + b; y &= c << d; z <<= 1u + 2u;":     "",
		"if a < b && c < d && e { }":                   "",
		"if (a << 1u) < b || a >> 1u < b { }":          "",
		"let p = &x; let y = *p + 1; let z = -a & ~b;": "",
		"f(&x, &y); g(a, -b);":                         "",
		"for (var i = 0u; i < n; i++) { x[i] = y; }":   "",
		"for (var s = 32u; s > 0u; s >>= 1u) { }":      "",
		"let v = vec2<u32>(a & b, c + d);":             "",
		"var v: array<vec4<u32>, 4>; let x = a & b;":   "",
		"let v = bitcast<vec2<u32>>(y) & vec2(1u);":    "",
		"let m = -3.4028234e+38;":                      "",
		"let m = -3.40282346e+38;":                     "",
		"let m = 0x1.fffffep+127;":                     "",
		"let n = 0xffffffffu;":                         "",
		"let n = 4294967295u;":                         "",
		"// a & b | c 1e99\nlet x = a;":                "",
		"if x { a = b & c; } let y = a + b;":           "",
		"switch a & 3u { case 1u: { } default: { } }":  "",
	} {
		found := wgsl.Scan("fn main() { " + statement + " }").Breaches()
		if want == "" {
			require.Empty(t, found, statement)
			continue
		}
		require.Len(t, found, 1, statement)
		require.Equal(t, want, found[0].Text, statement)
	}
}

// No shader that browsers take, which another test makes sure of, has a breach.
func TestRightShadersHaveNoBreach(t *testing.T) {
	paths, err := filepath.Glob("../lesson/testdata/*/right/*.wgsl")
	require.NoError(t, err)
	more, err := filepath.Glob("../../shaders/*.wgsl")
	require.NoError(t, err)
	train, err := filepath.Glob("../../shaders/train/*.wgsl")
	require.NoError(t, err)
	paths = append(append(paths, more...), train...)
	require.Greater(t, len(paths), 100)
	for _, path := range paths {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Empty(t, wgsl.Scan(string(source)).Breaches(), path)
	}
}
