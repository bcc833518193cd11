package format_test

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/wgsl/format"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

func TestFormat(t *testing.T) {
	cases := map[string][2]string{
		"nothing":             {"", ""},
		"a function":          {"@compute\n@workgroup_size( 64 , 1 )\nfn main(@builtin(global_invocation_id)id:vec3<u32>){\nout[id.x]=id.x;}", "@compute\n@workgroup_size(64, 1)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {\n    out[id.x] = id.x;\n}\n"},
		"one line each":       {"fn f() { let a = 1; let b = 2; }", "fn f() {\n    let a = 1;\n    let b = 2;\n}\n"},
		"a short block":       {"fn f() { if (a>=b) {return;} }", "fn f() {\n    if (a >= b) { return; }\n}\n"},
		"an empty block":      {"fn f() {\n}", "fn f() {}\n"},
		"else":                {"fn f() {\nif a {\nb();\n}\nelse if c { d(); }\nelse\n{\ne();\n}\n}", "fn f() {\n    if a {\n        b();\n    } else if c { d(); } else {\n        e();\n    }\n}\n"},
		"for":                 {"fn f(){for(var i=0u;i<4u;i++){a[i]+=-b[i];}for(;;){break;}}", "fn f() {\n    for (var i = 0u; i < 4u; i++) { a[i] += -b[i]; }\n    for (;;) { break; }\n}\n"},
		"two minus signs":     {"const a = - - 1;\nconst b = 1 - - 1;", "const a = - -1;\nconst b = 1 - -1;\n"},
		"minus after minus":   {"const c = a - --b;\nconst d = a--a;\nconst e = --a;\nconst f = a---b;\nconst g = -(--a);\nconst h = a--\nb;", "const c = a - - -b;\nconst d = a - -a;\nconst e = - -a;\nconst f = a - - -b;\nconst g = -(- -a);\nconst h = a - -\n    b;\n"},
		"minus and minus one": {"fn f() { a --; b[1]--; for(;;i--){ c = a--1; } }", "fn f() {\n    a--;\n    b[1]--;\n    for (;; i--) { c = a - -1; }\n}\n"},
		"templates":           {"var < workgroup > tile : array < vec4 < f32 > , 4>;\nconst less = a<b;", "var<workgroup> tile: array<vec4<f32>, 4>;\nconst less = a < b;\n"},
		"two closed at once":  {"var<private> m: array<array<f32,4>,4>=array<array<f32,4>,4>();", "var<private> m: array<array<f32, 4>, 4> = array<array<f32, 4>, 4>();\n"},
		"a struct":            {"struct P{a:f32,\n@align(16) b : u32}", "struct P {\n    a: f32,\n    @align(16) b: u32\n}\n"},
		"a struct in a line":  {"struct P{a:f32,b:u32,}", "struct P { a: f32, b: u32, }\n"},
		"commas of a type":    {"struct P{\na:array<array<f32,2>,3>,b:u32}", "struct P {\n    a: array<array<f32, 2>, 3>,\n    b: u32\n}\n"},
		"switch":              {"fn f(){switch(a){case 1,2:{b();}default:{c();d();}}}", "fn f() {\n    switch (a) {\n        case 1, 2: { b(); }\n        default: {\n            c();\n            d();\n        }\n    }\n}\n"},
		"broken lines":        {"fn f() {\nlet a = b +\nc;\ng(1,\n2,\n);\nif (a &&\nb) {\nreturn;\n}\n}", "fn f() {\n    let a = b +\n        c;\n    g(1,\n        2,\n    );\n    if (a &&\n        b) {\n        return;\n    }\n}\n"},
		"parameters":          {"fn f(\na: u32,\nb: u32,\n) -> u32 {\nreturn a;\n}", "fn f(\n    a: u32,\n    b: u32,\n) -> u32 {\n    return a;\n}\n"},
		"comments":            {"// top\n\n\n\nfn f() { // here\n// there\na(); // after\n\n/* a\n  b */\n}\n// end", "// top\n\nfn f() { // here\n    // there\n    a(); // after\n\n    /* a\n  b */\n}\n// end\n"},
		"comments in a column": {
			"struct P{\n  ne: u32,      // elements\n  o: u32,       // where\n  scale: f32, // no column\n}\nfn f() {\n\ta = 1;\t\t// é\n\tbbb=2 ;\t\t// b\n  c();    // c\n\n  d = 1;  // d\n}",
			"struct P {\n    ne: u32, // elements\n    o: u32,  // where\n    scale: f32, // no column\n}\nfn f() {\n    a = 1;   // é\n    bbb = 2; // b\n    c(); // c\n\n    d = 1; // d\n}\n",
		},
		"columns of split lines": {"fn f() { a = 1;  // a\nb(); c = 22; // c\n}", "fn f() {\n    a = 1; // a\n    b();\n    c = 22; // c\n}\n"},
		"a comment and else":     {"fn f() {\nif a {\n} // no\nelse {\nb();\n}\n}", "fn f() {\n    if a {} // no\n    else {\n        b();\n    }\n}\n"},
		"Windows":                {"// a\r\nconst a = 1;\r\n", "// a\nconst a = 1;\n"},
		"pointers":               {"fn f(p : ptr<function,u32>) { *p = 1; g(& a[0], !b, ~c); a . x -- ; }", "fn f(p: ptr<function, u32>) {\n    *p = 1;\n    g(&a[0], !b, ~c);\n    a.x--;\n}\n"},
		"directives":             {"enable f16 ,subgroups;diagnostic( off,derivative_uniformity );", "enable f16, subgroups;\ndiagnostic(off, derivative_uniformity);\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := format.Format(c[0])
			require.NoError(t, err)
			require.Equal(t, c[1], got)
			again, err := format.Format(got)
			require.NoError(t, err)
			require.Equal(t, got, again, "once more changes nothing")
		})
	}
}

// A text that doesn't parse stays as it is, and the error says where the mistake is.
func TestFormatNeedsAShaderThatParses(t *testing.T) {
	_, err := format.Format("fn f() {\n    let a = ;\n}\n")
	var mistake *format.SyntaxError
	require.ErrorAs(t, err, &mistake)
	require.Equal(t, 2, mistake.Finding.Line)
	require.ErrorContains(t, err, "line 2: ")
}

// The course's shaders are in the one layout, but for those that don't parse, those whose point is
// their line ends, and answers that put given lines in order.
func TestCourse(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for _, pattern := range []string{"exercises/*/reference.wgsl", "shaders/*/*.wgsl", "exercises/*/skeleton.wgsl"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			if strings.Contains(path, "order-") {
				continue
			}
			want, err := format.Format(string(text))
			require.NoError(t, err, path)
			require.Equal(t, want, string(text), "run: wgslab fmt -w %s", path)
		}
	}
}

// So are its solutions, but for wrong ones that don't parse.
func TestSolutions(t *testing.T) {
	for _, pattern := range []string{"*/right/*.wgsl", "*/wrong/*.wgsl"} {
		names, err := exercises.Files.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names, pattern)
		for _, name := range names {
			text, err := exercises.Files.ReadFile(name)
			require.NoError(t, err)
			want, err := format.Format(string(text))
			if errors.As(err, new(*format.SyntaxError)) && strings.Contains(name, "/wrong/") || path.Base(name) == "carriage-returns.wgsl" || strings.HasPrefix(name, "order-") {
				continue
			}
			require.NoError(t, err, name)
			require.Equal(t, want, string(text), "%s is laid out differently: wgslab exercise show prints it, and wgslab fmt - its layout", name)
		}
	}
}

// BenchmarkLongLine formats a line twice as long in twice the time.
func BenchmarkLongLine(b *testing.B) {
	for _, vectors := range []int{10_000, 20_000} {
		text := "const a = array(" + strings.Repeat("vec2(1,2),", vectors) + ");"
		b.Run(fmt.Sprint(vectors), func(b *testing.B) {
			for b.Loop() {
				_, err := format.Format(text)
				require.NoError(b, err)
			}
		})
	}
}

// A shader that would be too long for every tool after formatting stays as it is.
func TestTooLongOnceFormatted(t *testing.T) {
	text := "fn f() {" + strings.Repeat("{", 60) + strings.Repeat("a=1;", 4000) + strings.Repeat("}", 60) + "}"
	require.Less(t, len(text), syntax.MaxSource)
	_, err := format.Format(text)
	require.ErrorContains(t, err, "the formatted shader would have")
	require.ErrorContains(t, err, "256")
}

// Formatting is stable and changes no token, whatever parses.
func FuzzFormat(f *testing.F) {
	for _, text := range []string{"const a = 1 - --2;", "fn f() { a--; b = a--c; }", "struct S { a: array<vec4<f32>, 4>, }", "fn f() { /* a */ if a { } else if b { c(); } // d\n}", "@group(0) @binding(0) var<storage> a: array<u32>;"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := format.Format(text)
		if errors.As(err, new(*format.SyntaxError)) || errors.As(err, new(*format.TooLongError)) {
			return
		}
		require.NoError(t, err)
		twice, err := format.Format(once)
		require.NoError(t, err)
		require.Equal(t, once, twice)
	})
}
