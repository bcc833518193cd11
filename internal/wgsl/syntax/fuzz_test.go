package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, diagnostics := Parse(NewSource("", text))
		checkTree(t, file)
		for _, d := range diagnostics {
			require.True(t, 0 <= d.Span.Start && d.Span.Start <= d.Span.End && int(d.Span.End) <= len(text), "%v at %v", d, d.Span)
			require.NotEmpty(t, d.Message)
			require.NotEmpty(t, d.Hint, d)
			for _, fix := range d.Fixes {
				_, err := findings.Apply(text, fix.Edits)
				require.NoError(t, err, d)
			}
		}
	})
}

// seed gives the fuzzer the course's shaders and one of everything that WGSL has.
func seed(f *testing.F) {
	files, err := filepath.Glob("../../../exercises/*/reference.wgsl")
	require.NoError(f, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Add(everything)
	f.Add(strings.Repeat("\x01 ", MaxDiagnostics-3) + "\n" + everything)
	for _, text := range []string{"int x = 1;", "#define N 1\n", "x := a ? b : c;", "a<b>(c) == d<e;", "float a[4] = {1, 2};", "f((float)x--);"} {
		f.Add("fn f() { " + text + " }")
		f.Add(text)
	}
}

const everything = `diagnostic(off, a.b); enable f16, subgroups; requires x;
/* /* nested */ */ alias T = array<vec2<f32>, 1 << 2>; const_assert T(1, 2)[0].x >= 0x1.8p3f;
@id(1) override o: u32 = 1u; override p; const c: i32 = -1i; var<private> v: ptr<function, T>;
struct S { @size(16) @align(16) a: f32, @builtin(position) b: vec4f }
@fragment @diagnostic(warning, derivative_uniformity) fn f(@location(0) @interpolate(flat, first) a: u32, b: S,) -> @location(0) vec4h {
  @diagnostic(off, x) { ; } var a: i32; let b = &a; *b = ~1 & 2 & 3; (*b)++; a -= 1; _ = a; a >>= 1u; a <<= 2u;
  if a < 1 && b > 2 || c { return; } else if !x { discard; } else { }
  switch a { case 1, 2, default: { } } loop { if x { break; } continuing { a--; break if a == 0; } }
  for (var i = 0; i < 4; i++) { continue; } for (;;) { break; } while true { f(); } const_assert true;
  return vec4h(1.0h, .5, 1e3, 0xffu)[a].xy.x * - -1 % 2 / a--b; }`
