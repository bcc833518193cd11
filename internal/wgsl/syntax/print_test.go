package syntax

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPrintStyle(t *testing.T) {
	const messy = `
enable f16  ;
// about S
struct S{a:f32,// the first
b:vec3<f32>}
@group(0)@binding(0) var<storage,read_write> out:array<f32>;

@compute @workgroup_size(8,8)
fn main(@builtin(global_invocation_id)id:vec3u){if(id.x>=4){return;}else if id.x==2{ // two
;}else{}
for(var i=0u;i<4u;i++){out[i]+=- -1.0*f32(i);}
loop{continuing{break if true;}}
switch id.x{case 1,default{} case 2:{discard;}}
/* before */ let x = max(1,
2); // behind
_=x;
}`
	const tidy = `enable f16;
// about S
struct S {
	a: f32, // the first
	b: vec3<f32>,
}
@group(0) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
	if (id.x >= 4) {
		return;
	} else if id.x == 2 { // two
		;
	} else {}
	for (var i = 0u; i < 4u; i++) {
		out[i] += - -1.0 * f32(i);
	}
	loop {
		continuing {
			break if true;
		}
	}
	switch id.x {
		case 1, default: {}
		case 2: {
			discard;
		}
	}
	/* before */
	let x = max(1,
		2); // behind
	_ = x;
}
`
	file, diagnostics := Parse(NewSource("", messy))
	require.Empty(t, diagnostics)
	assert.Equal(t, tidy, Print(file))
	checkPrint(t, messy)
}

// checkPrint makes sure that the text, printed, is the same shader with the same comments, and stays as it is when
// printed again.
func checkPrint(t *testing.T, text string) {
	t.Helper()
	file, diagnostics := Parse(NewSource("", text))
	if HasErrors(diagnostics) {
		return
	}
	once := Print(file)
	again, diagnostics := Parse(NewSource("", once))
	require.Empty(t, diagnostics, "%q printed as %q", text, once)
	require.Equal(t, outline(file), outline(again), "%q printed as %q", text, once)
	require.Len(t, again.Comments, len(file.Comments), "%q printed as %q", text, once)
	require.Equal(t, once, Print(again), "%q", text)
}

// outline is the tree without places: types of nodes and their words.
func outline(file *File) string {
	var out strings.Builder
	Walk(file, func(n Node) bool {
		out.WriteString(reflect.TypeOf(n).Elem().Name())
		switch n := n.(type) {
		case *Ident:
			out.WriteString(" " + n.Name)
		case *Literal:
			out.WriteString(" " + n.Text)
		case *BinaryExpr:
			out.WriteString(" " + n.Op.String())
		case *UnaryExpr:
			out.WriteString(" " + n.Op.String())
		case *AssignStmt:
			out.WriteString(" " + n.Op.String())
		}
		out.WriteByte('(')
		return true
	}, func(Node) { out.WriteByte(')') })
	return out.String()
}

func TestCourseShadersPrint(t *testing.T) {
	files, err := filepath.Glob("../../../shaders/*.wgsl")
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		checkPrint(t, string(text))
	}
}

func FuzzPrint(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) { checkPrint(t, text) })
}

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
				_, err := Apply(text, fix.Edits)
				require.NoError(t, err, d)
			}
		}
	})
}

// seed gives the fuzzer the course's shaders and one of everything that WGSL has.
func seed(f *testing.F) {
	files, err := filepath.Glob("../../../shaders/*.wgsl")
	require.NoError(f, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Add(everything)
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
