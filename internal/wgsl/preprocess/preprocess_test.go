package preprocess

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// inMemory has the files that a shader may include, by name.
type inMemory map[string]string

func (f inMemory) Include(_ *syntax.Source, name string) (*syntax.Source, error) {
	text, ok := f[name]
	if !ok {
		return nil, errors.New("there is no file " + name)
	}
	return syntax.NewSource(name, text), nil
}

// Module implements Modules: the names of files with a colon are those of modules.
func (f inMemory) Module(from *syntax.Source, path string) *syntax.Source {
	if !strings.Contains(path, ":") {
		return nil
	}
	source, _ := f.Include(from, path)
	return source
}

// expanded returns the text of a shader, and what is wrong with its directives, one a line.
func expanded(t *testing.T, text string, files inMemory, values ...string) (*syntax.Source, string) {
	t.Helper()
	set := Values{}
	for _, v := range values {
		require.NoError(t, set.Define(v))
	}
	s := Expand(syntax.NewSource("a.wgsl", text), set, files)
	_, found := syntax.Parse(s)
	s.Locate(found...)
	var lines []string
	for _, f := range found {
		if f.Kind == "preprocessing" {
			lines = append(lines, s.Format(f))
		}
	}
	return s, strings.Join(lines, "\n")
}

// Each row is a text, the values of the host, and what comes of it.
func TestTextIsExpanded(t *testing.T) {
	for _, row := range []struct{ text, values, want string }{
		{"const a = 1; // #{A} {{a}} N\n", "N=2", "const a = 1; // #{A} {{a}} N\n"},
		{"#define N 4\narray<u32, N>", "", "array<u32, 4>"},
		{"#define N 4 // four\n#define M (N * N) /* N */\nM;", "", "(4 * 4);"},
		{"#define NOTHING\nNOTHING const a = 1;", "", " const a = 1;"},
		{"#define N 4\n#undef N\nN", "", "N"},
		{"#define N 4\nN", "N=8", "8"},
		{"#undef N\nN", "N=8", "8"},
		{"#define SQ(x) ((x) * (x))\nSQ(a + f(1, 2))", "", "((a + f(1, 2)) * (a + f(1, 2)))"},
		{"#define SQ(x) x*x\nSQ\n(3) SQ;", "", "3*3 SQ;"},
		{"#define ONE() 1\nONE() ONE( )", "", "1 1"},
		{"#define A B\n#define B A + C\nA", "", "A + C"},
		{"#define F(x) x\nF(F(F(2)))", "", "2"},
		{"#define CALL(f) f(1)\n#define G(x) x + x\nCALL(G)", "", "1 + 1"},
		{"#define OF(t) add_##t(t) ## 1\nOF(f32)", "", "add_f32(f32)1"},
		{"#define LONG(a, b) \\\n  a + \\\n  b\nLONG(1, 2);", "", "1 + \n  2;"},
		{"#define AT x[i, j]\nAT", "", "x[i, j]"},
		{"# define  SPACED  2\n#if SPACED==2\nyes\n#endif", "", "yes\n"},
		{"a NAMED.N 1N N1 N", "N=2", "a NAMED.2 1N N1 2"},
		// What the shader declares itself stays.
		{"struct P { a: u32, N: u32, }\nfn f(p: P) -> u32 { return p.N + N + q.M; }", "N=64,M=1", "struct P { a: u32, N: u32, }\nfn f(p: P) -> u32 { return p.N + 64 + q.1; }"},
		{"struct P { @align(N) @size(64) N: vec2<N>, }", "N=16,size=4,align=8", "struct P { @align(16) @size(64) N: vec2<16>, }"},
		{"struct P { N: u32 }\nstruct Q { a: N, M: u32, }\nconst c = M;", "N=16,M=2", "struct P { N: u32 }\nstruct Q { a: 16, M: u32, }\nconst c = 2;"},
		{"@STAGE @workgroup_size(size) fn f() { v.x = x + w.xyz; }", "size=4,x=3,STAGE=compute,xyz=1", "@compute @workgroup_size(4) fn f() { v.x = 3 + w.xyz; }"},
		{"fn f(N: u32) -> u32 { return N; }\nfn g() { let M = N; for (var M = 1;;) { M } }\nconst a = M;", "N=8,M=2", "fn f(N: u32) -> u32 { return N; }\nfn g() { let M = 8; for (var M = 1;;) { M } }\nconst a = 2;"},
		{"fn f() { switch N { case M: { } case N, M { } default: { let a = b ::N; } } }", "N=8,M=2", "fn f() { switch 8 { case 2: { } case 8, 2 { } default: { let a = b ::8; } } }"},
		{"const a = N;\n#ifdef DARK\nconst N = 1;\n#endif\n", "N=8", "const a = 8;\n"},
		{"#ifndef N\nconst N = 64;\n#endif\nconst a = N;\n", "N=8", "const a = 8;\n"},
		{"const a = N + M;\nvar<storage, read> N: u32;\nvar<private>M=1;", "N=8,M=3", "const a = N + M;\nvar<storage, read> N: u32;\nvar<private>M=1;"},
		{"#include \"part\"\nconst a = p + {{p}};\n", "p=8", "const p = 1;\nconst a = p + 8;\n"},
		{"enable f16, subgroups;\nvar a: f16;", "f16=f32,subgroups=3", "enable f16, subgroups;\nvar a: f32;"},
		{"#define SUM(a) (a + N)\nconst N = 1;\nconst s = SUM(N);\n", "N=8", "const N = 1;\nconst s = (N + N);\n"},
		{"#if DIM == 3\nconst DIM: u32 = 3; // DIM\nlet x = DIM + N;\n#endif", "DIM=3,N=4", "const DIM: u32 = 3; // DIM\nlet x = DIM + 4;\n"},
		// Flags are for directives alone.
		{"#ifdef small\nsmall\n#else\nlarge\n#endif", "small", "small\n"},
		{"#if small\nsmall\n#endif", "small", "small\n"},
		{"#ifndef A\n1\n#elif B\n2\n#endif", "A,B", "2\n"},
		{"#if A\n1\n#elif B\n2\n#elif C\n3\n#else\n4\n#endif\n5", "B,C", "2\n5"},
		{"#ifdef A\n#ifdef B\n1\n#else\n2\n#endif\n#else\n#if 1\n3\n#else\n4\n#endif\n#endif", "", "3\n"},
		{"#ifdef A\n1\n#else ifdef B\n2\n#else if N == 3\n3\n#else\n4\n#endif", "N=3", "3\n"},
		{"#ifdef A\n1\n#elifdef B\n2\n#elifndef C\n3\n#endif", "", "3\n"},
		{"#if 0\n/*\n#endif\n*/\nno\n#endif // end\nyes", "", "yes"},
		{"#if 0\n#error no\n#include \"none\"\n#strange\n#endif\n", "", ""},
		{"#if defined(A) && !defined B\nyes\n#endif", "A=", "yes\n"},
		{"#if (N + 1) * 2 == 10 && N << 1 > 7 && N % 3 != 0 && -N < 0 && ~0 == -1 && (6 & 3 | 8 ^ 1) == 11\nyes\n#endif", "N=4", "yes\n"},
		{"#if A || 1 / 0\nyes\n#endif\n#if B && 1 / 0\nno\n#endif", "A", "yes\n"},
		{"#define F(x) x * 2\n#if F(2) >= 4u \\\n  && 0x1F == 31\nyes\n#endif", "", "yes\n"},
		{"#if DEBUG == true\nyes\n#endif", "DEBUG=true", "yes\n"},
		// Placeholders.
		{"@group(#{GROUP}) {{ type }} ${a.b} ${n / 2}", "GROUP=2,type=f32,a.b=x,n / 2=8", "@group(2) f32 x 8"},
		{"#SIZE + #{SIZE};", "SIZE=4", "4 + 4;"},
		{"{{a}}", "a={{b}} + N,b=N,N=1", "1 + 1"},
		{"fn f() {{ let a = 1; }}", "b=2", "fn f() {{ let a = 1; }}"},
		{"@workgroup_size({N}) x={N}u + vec{n}<{T}>(x>{N}) return {N};", "N=64,n=2,T=f32", "@workgroup_size(64) x=64u + vec2<f32>(x>64) return 64;"},
		{"#define CALL f();\nfn a() {CALL}\nfn b() -> u32 {CALL}\nloop{CALL}", "N=2", "fn a() {f();}\nfn b() -> u32 {f();}\nloop{f();}"},
		{"{HEAD}\nfn f() {\n  {BODY}\n}", "HEAD=const a = 1;,BODY=g();", "const a = 1;\nfn f() {\n  g();\n}"},
		{"if a {return} else {break} // {a}", "a=1,break=2", "if 1 {return} else {2} // {a}"},
		// Files.
		{"#include \"part\"\n#include <part>\n#include part\n", "", "const p = 1;\nconst p = 1;\nconst p = 1;\n"},
		{"#include \"once\"\n#include \"once\"\n", "", "const o = 1;\n"},
		{"#import shared\n#include \"outer\"\n", "", "const s = 4;\nconst p = 1;\n"},
		{"const a = 1;\n#ifdef HALF\n#enable f16\n#endif\n#enable f16;\n", "HALF", "enable f16;\nconst a = 1;\n"},
		{"#define_import_path a::b\nconst a = 1;\n", "", "const a = 1;\n"},
	} {
		var values []string
		if row.values != "" {
			values = strings.Split(row.values, ",")
		}
		files := inMemory{
			"part": "const p = 1;", "once": "#pragma once\nconst o = 1;\n", "outer": "#include \"part\"\n",
			"shared.wgsl": "#define IN 4\nconst s = IN;\n",
		}
		s, wrong := expanded(t, row.text, files, values...)
		require.Empty(t, wrong, row.text)
		require.Equal(t, row.want, s.Text, row.text)
	}
}

// Modules are in the shader once. Only a name that two of them declare is changed, wherever it is
// used.
func TestModulesAreLinked(t *testing.T) {
	files := inMemory{
		"a::math":  "#define_import_path a::math\n#import a::base\nconst PI = 3.0;\nfn half(x: f32) -> f32 { return base::scale(x) / 2.0; }\n",
		"a::base":  "#define_import_path a::base\nconst PI = 3.1;\nfn scale(x: f32) -> f32 { return x * PI; }\n",
		"a::types": "#define_import_path a::types\n#ifdef WIDE\nstruct Pair { half: vec4f }\n#else\nstruct Pair { half: f32 }\n#endif",
	}
	for _, row := range [][3]string{
		{"#import a::math::half\nfn m() -> f32 { return half(1); }", "", "half(1)"},
		{"#import a::math::{half as halve, PI}\nfn m() -> f32 { return halve(PI); }", "", "half(PI_2)"},
		{"#import a::math\nfn m() -> f32 { return math::half(math::PI) + a::math::PI; }", "", "half(PI_2) + PI_2"},
		{"#import a::{math::half,\n  base::{PI as pi},\n}\nfn m() -> f32 { return half(pi); }", "", "half(PI)"},
		{"#import a::math as m\nconst PI = 3; fn m() -> f32 { return m::half(m::PI) + PI; }", "", "half(PI_3) + PI"},
		{"#import a::types::Pair\n#import a::math::half\nfn f(p: Pair) -> f32 { return half(p.half); }", "", "half(p.half)"},
		{"#import a::math::half;\n#import a::math::PI;\nfn m() -> f32 { return half(PI); }", "", "half(PI_2)"},
	} {
		s, wrong := expanded(t, row[0], files)
		require.Empty(t, wrong, row[0])
		require.Contains(t, s.Text, row[2], row[0])
		require.LessOrEqual(t, strings.Count(s.Text, "fn scale"), 1, row[0])
		require.Empty(t, wgsl.ReadSource(s, types.Options{Features: wgsl.Features}).Findings, s.Text)
	}
	_, wrong := expanded(t, "\n#import a::none::{x}\n", files)
	require.Contains(t, wrong, "a.wgsl:2:1: error: There is no module `a::none::x`, and none with an item `x`.")
	_, wrong = expanded(t, "#import a::{x\n", files)
	require.Contains(t, wrong, "a.wgsl:1:1: error: This #import isn't a path.")
}

func TestMistakesHaveAPlace(t *testing.T) {
	for text, want := range map[string]string{
		"\n#ifdef A\n":                       "a.wgsl:2:1: error: This #ifdef has no #endif. Add #endif where its text ends. [preprocessing]",
		"x\n  #endif\n":                      "a.wgsl:2:3: error: This #endif belongs to no #if. Remove it, or add the #if before it. [preprocessing]",
		"#if 1\n#else\n#else\n#endif\n":      "a.wgsl:3:1: error: This #else comes after the #else of its #if. Put the #else last. [preprocessing]",
		"#strange thing\n":                   "a.wgsl:1:1: error: There is no directive #strange. Wgslab knows #define, #undef, #include, #import, #enable, #error, #pragma once, and #if with its kin. [preprocessing]",
		"#error too small\n":                 "a.wgsl:1:1: error: The shader says: too small Other values with -D or in wgslab.toml choose other branches. [preprocessing]",
		"#include \"none\"\n":                "a.wgsl:1:1: error: There is no file none. [preprocessing]",
		"#include \"loop\"\n":                "loop:2:1: error: The file loop includes itself: a.wgsl → loop → loop. [preprocessing]",
		"#if T == f32\n#endif\n":             "a.wgsl:1:1: error: This condition has no value: neither `T` nor `f32` is defined. Conditions are whole numbers, names, defined(NAME) and operators. [preprocessing]",
		"#if 1 / 0\n#endif\n":                "a.wgsl:1:1: error: This condition has no value: it divides by 0. Conditions are whole numbers, names, defined(NAME) and operators. [preprocessing]",
		"#if 1.5 > 1\n#endif\n":              "a.wgsl:1:1: error: This condition has no value: `1.5` is no whole number. Conditions are whole numbers, names, defined(NAME) and operators. [preprocessing]",
		"#if (1\n#endif\n":                   "a.wgsl:1:1: error: This condition has no value: a parenthesis isn't closed. Conditions are whole numbers, names, defined(NAME) and operators. [preprocessing]",
		"#if\n#endif\n":                      "a.wgsl:1:1: error: The directive #if needs a condition. Write #if NAME, #if NAME == 2 or #if defined(NAME). [preprocessing]",
		"#ifdef\n#endif\n":                   "a.wgsl:1:1: error: The directive #ifdef needs a name. Write #ifdef NAME. [preprocessing]",
		"#define F(a, b) a + b\nF(1)\n":      "a.wgsl:2:1: error: The macro `F` has 2 parameters, and this use gives it 1. Write it as `F(a, b)`. [preprocessing]",
		"#define F(a) a\nF(1\n":              "a.wgsl:2:1: error: The arguments of the macro `F` have no end. Close the parenthesis before the next directive. [preprocessing]",
		"#define F(a\n":                      "a.wgsl:1:1: error: The parameters of `F` have no end. Close the parenthesis. [preprocessing]",
		"{% if x %}\n{% endif %}\n":          "a.wgsl:1:1: error: `{% if x %}` is a statement of a template language such as Jinja or Tera, which nothing here follows. Pass the text that your host renders. [preprocessing]",
		"#define F(1) a\n":                   "a.wgsl:1:1: error: The parameters of `F` aren't names with commas between them. Write #define F(a, b) and then the text. [preprocessing]",
		"a {{x}}\n\n ${x} ${f(y)}":           "a.wgsl:1:3: error: `{{x}}` has no value. Pass one with -D x=…, or write it under [values] in wgslab.toml. [preprocessing]\na.wgsl:3:7: error: `${f(y)}` has no value. Pass one with -D 'f(y)=…', or write it under [values] in wgslab.toml. [preprocessing]",
		"array<u32, {N}> {N}u":               "a.wgsl:1:12: error: `{N}` has no value. Pass one with -D N=…, or write it under [values] in wgslab.toml. [preprocessing]",
		"struct S {a}\nfn f() {b} {discard}": "",
	} {
		_, wrong := expanded(t, text, inMemory{"loop": "\n#include \"loop\"\n"})
		require.Equal(t, want, wrong, text)
	}
	s := Expand(syntax.NewSource("a.wgsl", "{{x}}\n{{x}} ${x}"), Values{}, nil)
	_, found := syntax.Parse(s)
	s.Locate(found...)
	require.Len(t, found, 1, "a name is reported once")
	require.Equal(t, []int{2, 2}, []int{found[0].Related[0].Line, found[0].Related[1].Line}, "with all its places")
}

// A shader that grows without end is an error, and not a hang.
func TestGrowthEnds(t *testing.T) {
	nested := "#define N() 1\n#define F(x) x x x\n" + strings.Repeat("F(", 40) + "N()" + strings.Repeat(")", 40)
	_, wrong := expanded(t, nested, nil)
	require.Contains(t, wrong, "a.wgsl:3:")
	require.Contains(t, wrong, "The macros of this shader make too much text")
	deep := "#define F(x) x\n" + strings.Repeat("F(", 2000) + strings.Repeat(")", 2000)
	_, wrong = expanded(t, deep, nil)
	require.NotContains(t, wrong, "panic")
	files := inMemory{}
	for i := range 20 {
		next := string(rune('a' + i + 1))
		files[string(rune('a'+i))] = strings.Repeat("#include \""+next+"\"\n", 2)
	}
	files["u"] = strings.Repeat("x", 1000)
	_, wrong = expanded(t, "#include \"a\"\n", files)
	require.Contains(t, wrong, "more than 256 KiB")
}

func TestUntouchedTextIsReturned(t *testing.T) {
	main := syntax.NewSource("a.wgsl", "// a # {{ comment }}\n@compute @workgroup_size(64) fn main() {}\n")
	require.Same(t, main, Expand(main, Values{"N": {Text: "4"}}, nil))
	require.Same(t, main, Expand(main, nil, nil))
}

// What the front end finds is where a person wrote it: at a macro's use, in an included file.
func TestFindingsAreAtTheWrittenLine(t *testing.T) {
	files := inMemory{"part": "#define WIDE(x) vec4<T>(x)\n\nfn two() -> u32 { return 1.5; }\n"}
	s := Expand(syntax.NewSource("a.wgsl", "#define A 1\n#include \"part\"\n#if 0\n#endif\n\nconst a: i32 = A + WIDE(2);\n"), Values{"T": {Text: "f32"}}, files)
	read := wgsl.ReadSource(s, types.Options{Features: wgsl.Features})
	var lines []string
	for _, f := range read.Findings {
		at, _, _ := strings.Cut(s.Format(f), ": ")
		lines = append(lines, at+" "+s.WrittenLine(f.Region))
	}
	require.ElementsMatch(t, []string{"part:3:26 fn two() -> u32 { return 1.5; }", "a.wgsl:6:16 const a: i32 = A + WIDE(2);"}, lines)
}

func TestTemplatesAreFormattedAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"fn  f( ) { let a=N ; }\n": "fn f() { let a = N; }\n",
		"#define N 4\nfn f( ) {\n#ifdef A // why\nlet a=N;\n   #else\nlet a = {{ n }}+${m / 2};\n#endif\n}\n": "#define N 4\nfn f() {\n#ifdef A // why\n    let a = N;\n   #else\n    let a = {{ n }} + ${m / 2};\n#endif\n}\n",
		"#define M(a, b) \\\n  a + \\\n  b\nconst  c=M(1,2);\n":                                               "#define M(a, b) \\\n  a + \\\n  b\nconst c = M(1, 2);\n",
		"#import a::b::{\n  c,\n    d }\nfn  f(x:b::T)->T { return a::b::c( x ); }\n":                         "#import a::b::{\n  c,\n    d }\nfn f(x: b::T) -> T { return a::b::c(x); }\n",
		"@compute @workgroup_size( {N} )\nfn f( ) { let a=x>{N}u+vec{n}<{T}>( 1 ); }\n":                       "@compute @workgroup_size({N})\nfn f() { let a = x > {N}u + vec{n}<{T}>(1); }\n",
		"@group(#{G}) @binding(0) var<storage> x: array<vec{{n}}<f32>>;\n":                                    "@group(#{G}) @binding(0) var<storage> x: array<vec{{n}}<f32>>;\n",
	} {
		got, err := Format(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
		again, err := Format(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	for text, want := range map[string]string{
		"#ifdef A\nfn f() {\n#else\nfn f(a: i32) {\n#endif\n}\n": "line 2",
		"fn f() {\n  {{body}}\n}\n":                              "line 3: ",
	} {
		_, err := Format(text)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "read together here")
	}
}

// No text makes the preprocessor fail, and each byte of its result has a place in a file.
func FuzzExpand(f *testing.F) {
	for _, seed := range []string{
		"#define F(a, b) a ## b\nF(1, (2, 3)) {{x}} ${y + 1} #{N} #N", "#if defined(A) && N == 2 || !B\n#include \"part\"\n#else if X\n#endif",
		"#import a::{b, c as d}\n a::b::c(d.b)", "#define A B\n#define B A\nA /* #if */ // x\n#enable f16\n{% x %}", "#define L(x) \\\n x\nL(L(L))\n#undef L",
	} {
		f.Add(seed, "N=2")
	}
	files := inMemory{"part": "const p = N;", "a::b": "#import a::c\nfn c() {}", "a::c": "#import a::b\nfn c() {}"}
	f.Fuzz(func(t *testing.T, text, value string) {
		values := Values{}
		_ = values.Define(value)
		s := Expand(syntax.NewSource("a.wgsl", text), values, files)
		for at := range min(len(s.Text), 1000) {
			file, span, exact := s.Written(syntax.Span{Start: int32(at), End: int32(at) + 1})
			require.True(t, 0 <= span.Start && span.Start <= span.End && int(span.End) <= len(file.Text))
			if exact {
				require.Equal(t, s.Text[at:at+1], file.Slice(span))
			}
		}
		_, found := syntax.Parse(s)
		s.Locate(found...)
		_, _ = Format(text)
	})
}
