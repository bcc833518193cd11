package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// within puts statements into a function.
func within(body string) string { return "fn f() {\n" + body + "\n}" }

// reports formats diagnostics as "line:column code".
func reports(t *testing.T, text string) []string {
	t.Helper()
	source := NewSource("", text)
	file, diagnostics := Parse(source)
	require.NotNil(t, file)
	checkTree(t, file)
	var list []string
	for _, d := range diagnostics {
		list = append(list, strings.TrimPrefix(source.Format(d), ":"))
	}
	return list
}

// checkTree checks that every node is within its parent and the text.
func checkTree(t *testing.T, file *TranslationUnit) {
	t.Helper()
	var stack []Node
	Walk(file, func(n Node) bool {
		require.NotNil(t, n)
		s := n.Span()
		require.True(t, 0 <= s.Start && s.Start <= s.End && int(s.End) <= len(file.Source.Text), "%T at %v", n, s)
		stack = append(stack, n)
		return true
	}, func(Node) { stack = stack[:len(stack)-1] })
	require.Empty(t, stack)
}

// TestFiveMistakes checks that each mistake gives its own message.
func TestFiveMistakes(t *testing.T) {
	assert.Equal(t, []string{
		"2:18: error: Members of a structure are separated by `,`, but after `f32` there is `;`. Write `,` instead of `;`. [missing-comma]",
		"4:26: error: There is no `;` at the end of the declaration of `b`. Write `;` after `>`. [missing-semicolon]",
		"7:3: error: `int i` declares a variable in C's order; in WGSL the name comes first, then its type. Write `var i: i32`, or `let` for a value that never changes. [type-before-name]",
		"9:5: error: `++` comes after the variable in WGSL, not before it. Write `i++`. [prefix-increment]",
		"12:13: error: A value should follow `+`, but there is `;`. Write a value: a number, a name, or a call such as `f32(x)`. [missing-expression]",
	}, reports(t, `// a shader of a bad day
struct S { x: f32; y: f32 }

var<private> b: array<f32>

fn f(s: S) -> f32 {
  int i = 0;
  if i < 3 {
    ++i;
  }

  let z = 1 +;
  return s.x;
}
`))
}

// TestUnfinishedWord checks that an editor gets a tree in the middle of a word.
func TestUnfinishedWord(t *testing.T) {
	const text = "fn f() {\n  let a = 1;\n  params.\n  let b = 2;\n}\nfn g() { }"
	file, diagnostics := Parse(NewSource("", text))
	require.Len(t, diagnostics, 1, "%v", diagnostics)
	require.Len(t, file.Decls, 2)
	body := file.Decls[0].(*FuncDecl).Body
	require.Len(t, body.List, 3)
	assert.IsType(t, &DeclStmt{}, body.List[2])
}

func TestPositions(t *testing.T) {
	source := NewSource("", "a\r\né𝄞x\rb\n")
	assert.Equal(t, 4, source.Lines())
	at := source.Position(int32(strings.Index(source.Text, "x")))
	assert.Equal(t, Position{Line: 2, Column: 7, UTF16: 4}, at)
	assert.Equal(t, int32(strings.Index(source.Text, "x")), source.Offset(2, 4))
	r := source.Range(Span{Start: 3, End: 9})
	assert.Equal(t, Range{Position{2, 1, 1}, Position{2, 3, 2}, Position{2, 7, 4}}, r)
}

// A line of ASCII has the columns that counting gives, as every other line has.
func TestColumnsAreCounted(t *testing.T) {
	source := NewSource("", "ab cd\r\né𝄞 ab\n\x00ab\rcd 𝄞\n\nab\xff")
	for offset := range int32(len(source.Text)) + 1 {
		at, line := source.Position(offset), source.Line(source.LineOf(offset))
		before := source.Text[line.Start:offset]
		require.Equal(t, 1+len(before), at.Column, offset)
		require.Equal(t, 1+len(utf16.Encode([]rune(before))), at.UTF16, offset)
		within := source.Text[line.Start:min(offset, line.End)]
		region := source.Region(Span{Start: offset, End: offset})
		require.Equal(t, 1+utf8.RuneCountInString(within), region.Column, offset)
	}
}

func TestCourseShadersParse(t *testing.T) {
	files, err := filepath.Glob("../../../exercises/*/reference.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Empty(t, reports(t, string(text)), name)
	}
}

// TestLastMistake lets the last mistake that is reported be any of those after which the parser
// reads on as if a token were another one.
func TestLastMistake(t *testing.T) {
	for _, text := range []string{
		"ost S = 1;", "vr a: i32;", "strct S { a: f32 }", "overide n: u32;", "enabel f16;", "fnn f() { }",
		"fn f() { retrun x; }", "fn f() { lett a = 1; }", "fn f() { whle (true) { } }",
		"type S struct { a: f32 }", "fn f() { a = b--c; }", "var var a = 1;", "x := 1;", "pub fn f() { }",
		"kernel void f(int a) { }", "int x = 1;", "fn f() { float a[4] = {1, 2}; }", everything,
	} {
		for before := MaxDiagnostics - 6; before <= MaxDiagnostics; before++ {
			_, diagnostics := Parse(NewSource("", strings.Repeat("\x01 ", before)+"\n"+text))
			require.GreaterOrEqual(t, len(diagnostics), min(before, MaxDiagnostics), text)
			require.LessOrEqual(t, len(diagnostics), MaxDiagnostics, text)
		}
	}
}

// TestValueOnTheNextLine checks that the value of a `return` may be on a line of its own, and that
// a statement there still shows that a semicolon is missing.
func TestValueOnTheNextLine(t *testing.T) {
	for _, value := range []string{
		"a.x;", "g();", "a[1];", "a;", "(a);", "-a;", "*p;", "vec2<f32>(a, b).x;", "a < b;", "a[g(b)].x + b;",
		"a.x\n == b.y;", "g(true, false);", "/* { */ a.x;", "// = 1\na.x;",
	} {
		for _, line := range []string{"\n", "\r\n", "\n\n  ", " // the sum\n"} {
			assert.Empty(t, reports(t, within("return"+line+value)), value)
		}
	}
	for _, statement := range []string{
		"a = 1;", "a.x = g();", "a[1] += 2;", "a++;", "a[g(b)].x--;", "let a = 1;", "g() }", "a\nb = 1;",
	} {
		found := reports(t, within("return\n"+statement))
		require.NotEmpty(t, found, statement)
		assert.Contains(t, found[0], "2:1: error: There is no `;` at the end of this `return`.", statement)
	}
}

// TestHabits lists syntax that people write by habit, and the one message for each.
func TestHabits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		at         string // line:column of the message
		code       string
		says       string // part of message or hint
		fixed      string // the text after the first fix; empty if there is no fix
	}{
		{"C declaration", within("int i = 0;"), "2:1", "type-before-name", "Write `var i: i32`", within("var i: i32 = 0;")},
		{"C declaration without value", within("float x;"), "2:1", "type-before-name", "Write `var x: f32`", within("var x: f32;")},
		{"C array", within("float a[4];"), "2:1", "type-before-name", "`var a: array<f32, 4>`", within("var a: array<f32, 4>;")},
		{"HLSL vector", within("float4 v = x;"), "2:1", "type-before-name", "`var v: vec4f`", within("var v: vec4f = x;")},
		{"templated C declaration", within("vec3<f32> v = x;"), "2:1", "type-before-name", "`var v: vec3<f32>`", within("var v: vec3<f32> = x;")},
		{"C for", within("for (int i = 0; i < 4; i++) { }"), "2:6", "type-before-name", "`var i: i32`", within("for (var i: i32 = 0; i < 4; i++) { }")},
		{"const int", within("const int n = 4;"), "2:7", "type-before-name", "`n: i32`", within("const n: i32 = 4;")},
		{"let mut", within("let mut x = 1;"), "2:1", "let-mut", "Write `var`", within("var x = 1;")},
		{"prefix increment", within("var i = 0; ++i;"), "2:12", "prefix-increment", "Write `i++`", within("var i = 0; i++;")},
		{"increment as a value", within("x = i++;"), "2:6", "increment-in-expression", "is a statement and gives no value", ""},
		{"prefix increment as a value", within("x = ++i;"), "2:5", "increment-in-expression", "gives no value", ""},
		{"compound assignment as a value", within("y = x += 1;"), "2:7", "unexpected-token", "`+=` does not belong here", ""},
		{"suffix F", within("let x = 1.0F;"), "2:9", "bad-number", "small `f`", within("let x = 1.0f;")},
		{"suffix d", within("let x = 1.0d;"), "2:9", "bad-number", "no 64-bit floats", within("let x = 1.0f;")},
		{"suffix L", within("let x = 1L;"), "2:9", "bad-number", "no 64-bit numbers", within("let x = 1;")},
		{"suffix UL", within("let x = 1UL;"), "2:9", "bad-number", "Write `1u`", within("let x = 1u;")},
		{"past the largest f32", within("let x = -3.40282347e+38f;"), "2:10", "number-out-of-range", "the largest is 3.4028234e38f", within("let x = -3.4028234e38f;")},
		{"past the largest f16", "enable f16;\nconst x = 65519h;", "2:11", "number-out-of-range", "the largest is 65504h", "enable f16;\nconst x = 65504h;"},
		{"far past the largest f32", within("let x = 1e39f;"), "2:9", "number-out-of-range", "Use a smaller number", ""},
		{"octal", within("let x = 012;"), "2:9", "bad-number", "octal", within("let x = 12;")},
		{"binary", within("let x = 0b101;"), "2:9", "bad-number", "Write `0x5`", within("let x = 0x5;")},
		{"digits apart", within("let x = 1_000;"), "2:9", "bad-number", "Write `1000`", within("let x = 1000;")},
		{"missing semicolon", within("let x = 1\nlet y = 2;"), "2:9", "missing-semicolon", "after `1`", within("let x = 1;\nlet y = 2;")},
		{"missing semicolon before brace", "fn f() { return }", "1:10", "missing-semicolon", "this `return`", "fn f() { return; }"},
		{"= in a condition", within("if (x = 1) { }"), "2:7", "assignment-in-condition", "Write `==`", within("if (x == 1) { }")},
		{"= in a bare condition", within("if x = 1 { }"), "2:6", "assignment-in-condition", "Write `==`", within("if x == 1 { }")},
		{"== as a statement", within("x == 1;"), "2:3", "equal-for-assign", "Write `=`", within("x = 1;")},
		{"== in a declaration", within("let x == 1;"), "2:7", "equal-for-assign", "Write `=`", within("let x = 1;")},
		{"=== of JavaScript", within("if x === 1 { }"), "2:6", "foreign-operator", "Write `==`", within("if x == 1 { }")},
		{"if without braces", within("if (x) y = 1;"), "2:6", "missing-braces", "needs braces", within("if (x) { y = 1; }")},
		{"elif", within("if x { } elif y { }"), "2:10", "else-if", "`else if`", within("if x { } else if y { }")},
		{"ternary", within("let x = a ? 1 : 2;"), "2:11", "ternary", "`select(2, 1, a)`", within("let x = select(2, 1, a);")},
		{"C cast", within("let x = (float)i;"), "2:9", "c-cast", "`f32(i)`", within("let x = f32(i);")},
		{"C cast of a sum", within("let x = (int)(a + b);"), "2:9", "c-cast", "`i32(a + b)`", within("let x = i32(a + b);")},
		{"#include", "#include <x>\nfn f() { }", "1:1", "no-preprocessor", "Copy what you need", ""},
		{"#define", "#define N 16u\nfn f() { let x = N; }", "1:1", "no-preprocessor", "`const N = 16u;`", "const N = 16u;\nfn f() { let x = N; }"},
		{"#version", "#version 450\nfn f() { }", "1:1", "no-preprocessor", "Delete the line", "\nfn f() { }"},
		{"void main", "void main() { }", "1:1", "foreign-function", "Write `fn main(`", "fn main() { }"},
		{"C function", "float f(a: f32) { return a; }", "1:1", "foreign-function", "-> f32", "fn f(a: f32) -> f32 { return a; }"},
		{"C parameter", "fn f(float a) { }", "1:6", "type-before-name", "`a: f32`", "fn f(a: f32) { }"},
		{"Go parameter", "fn f(a float32) { }", "1:6", "missing-colon", "`a: f32`", "fn f(a: f32) { }"},
		{"colon for arrow", "fn f() : f32 { return 1; }", "1:8", "missing-arrow", "after `->`", "fn f()  -> f32 { return 1; }"},
		{"missing arrow", "fn f() f32 { return 1; }", "1:6", "missing-arrow", "`-> f32`", "fn f() -> f32 { return 1; }"},
		{"-> void", "fn f() -> void { }", "1:11", "void", "no `->`", ""},
		{"missing fn", "@compute @workgroup_size(1) main() { }", "1:29", "missing-fn", "`fn main(`", "@compute @workgroup_size(1) fn main() { }"},
		{"func", "func f() { }", "1:1", "foreign-function", "`fn f(`", "fn f() { }"},
		{"pub fn", "pub fn f() { }", "1:1", "foreign-declaration", "Delete it", "fn f() { }"},
		{"arrow to a member", within("let x = p->y;"), "2:10", "arrow-member", "Write `.`", within("let x = p.y;")},
		{"array after the name", within("var a[4]: f32;"), "2:6", "array-brackets", "array<f32, 4>", ""},
		{"array after the name, with a value", within("var a[2] = array(1, 2);"), "2:6", "array-brackets", "array<f32, 2>", ""},
		{"let before an element", "var<private> a: array<f32, 4>;\n" + within("let a[i] = 1;"), "3:1", "declaring-assignment", "Write `a[i] = …` without the `let`.", "var<private> a: array<f32, 4>;\n" + within("a[i] = 1;")},
		{"let before an element of a row", within("var a = b;\nlet a[id.y][0] = 1;"), "3:1", "declaring-assignment", "`a` exists already", within("var a = b;\na[id.y][0] = 1;")},
		{"var before a member", within("var a = b;\nvar a.x = 1;"), "3:1", "declaring-assignment", "without the `var`", within("var a = b;\na.x = 1;")},
		{"let before +=", within("var a = b;\nlet a += 1;"), "3:1", "declaring-assignment", "Write `a += …`", within("var a = b;\na += 1;")},
		{"let before an unknown element", within("let a[0] = 1;"), "2:6", "array-brackets", "array<f32, 0>", ""},
		{"array in braces", within("let a = {1, 2};"), "2:9", "foreign-list", "array(1, 2)", within("let a = array(1, 2);")},
		{"array in brackets", within("let a = [1, 2];"), "2:9", "foreign-list", "array(1, 2)", within("let a = array(1, 2);")},
		{"Go array type", within("var a: [4]f32;"), "2:8", "foreign-type", "`array<f32, 4>`", within("var a: array<f32, 4>;")},
		{"Go slice type", "fn f(a: []float32) { }", "1:9", "foreign-type", "`array<f32>`", "fn f(a: array<f32>) { }"},
		{"Rust array type", within("var a: [f32; 4];"), "2:8", "foreign-type", "`array<f32, 4>`", within("var a: array<f32, 4>;")},
		{"Go declaration of an element", within("out[0] := 1;"), "2:8", "foreign-declaration", "just `=`", within("out[0] = 1;")},
		{"Go declaration", within("x := 1;"), "2:3", "foreign-declaration", "`let x = …`", within("var x = 1;")},
		{"layout", "layout(local_size_x = 64) in;\nfn f() { }", "1:1", "foreign-declaration", "@workgroup_size(64)", ""},
		{"CUDA barrier", within("__syncthreads();"), "2:1", "foreign-word", "`workgroupBarrier`", within("workgroupBarrier();")},
		{"two underscores", within("let __x = 1;"), "2:5", "double-underscore", "Call it `x`", ""},
		{"string", within("let x = \"a\";"), "2:9", "no-strings", "no strings", ""},
		{"reserved word", within("let std = 1; let y = std;"), "2:5", "reserved-word", "`stddev`", within("let stddev = 1; let y = stddev;")},
		{"null", within("let p = null;"), "2:9", "reserved-word", "reserved", within("let p = none;")},
		{"keyword as a name", within("let loop = 1;"), "2:5", "keyword-as-name", "keyword", ""},
		{"no-break space", within("let\u00a0x = 1;"), "2:4", "invisible-character", "non-breaking space", within("let x = 1;")},
		{"minus of a typesetter", within("let x = a − 1;"), "2:11", "look-alike", "`-`", within("let x = a - 1;")},
		{"times sign", within("let x = a × 2;"), "2:11", "look-alike", "`*`", within("let x = a * 2;")},
		{"curly quotes", within("let x = “a”;"), "2:9", "no-strings", "quotes", ""},
		{"less or equal", within("let x = a ≤ b;"), "2:11", "look-alike", "`<=`", within("let x = a <= b;")},
		{"let outside", "let x = 1;\nfn f() { }", "1:1", "let-outside", "`const`", "const x = 1;\nfn f() { }"},
		{"type alias", "type T = f32;", "1:1", "foreign-declaration", "`alias`", "alias T = f32;"},
		{"Go struct", "type S struct { a: f32, }", "1:1", "foreign-declaration", "`struct S {`", "struct S { a: f32, }"},
		{"C member", "struct S { float a; }", "1:12", "type-before-name", "`a: f32`", "struct S { a: f32; }"},
		{"semicolon after a member", "struct S { a: f32; }", "1:18", "missing-comma", "Write `,`", "struct S { a: f32, }"},
		{"missing comma between members", "struct S {\n a: f32\n b: f32\n}", "2:5", "missing-comma", "after `f32`", "struct S {\n a: f32,\n b: f32\n}"},
		{"Go for", within("for i := 0; i < 4; i++ { }"), "2:1", "for-without-parens", "`for (var i = …", within("for (var i = 0; i < 4; i++) { }")},
		{"for without parentheses", within("for var i = 0; i < 4; i++ { }"), "2:1", "for-without-parens", "parentheses", within("for (var i = 0; i < 4; i++) { }")},
		{"endless for", within("for { break; }"), "2:1", "for-without-parens", "`loop", within("loop { break; }")},
		{"for in", within("for (x in xs) { }"), "2:8", "for-in", "Count", ""},
		{"do while", within("do { x = 1; } while (x < 2);"), "2:1", "do-while", "`loop {", ""},
		{"C case", within("switch x { case 1: y = 1; default: { } }"), "2:18", "case-without-braces", "needs braces", within("switch x { case 1 { y = 1; } default: { } }")},
		{"switch without cases", within("switch x { }"), "2:1", "empty-switch", "default", ""},
		{"comparison chain", within("let x = a < b < c;"), "2:15", "comparison-chain", "`a < b && b < …`", within("let x = a < b && b < c;")},
		{"& beside ==", within("let x = a & b == c;"), "2:11", "mixed-operators", "parentheses", within("let x = a & (b == c);")},
		{"&& beside ||", within("let x = a && b || c;"), "2:16", "mixed-operators", "parentheses", within("let x = (a && b) || c;")},
		{"shift of a sum", within("let x = a + b << c;"), "2:15", "mixed-operators", "parentheses", within("let x = (a + b) << c;")},
		{"method", within("let x = a.dot(b);"), "2:11", "method", "`dot(a, b)`", ""},
		{"length of an array", within("let n = data.length();"), "2:14", "method", "`arrayLength(&data)`", ""},
		{"Math.sqrt", within("let n = Math.sqrt(x);"), "2:14", "method", "`sqrt(…)`", within("let n = sqrt(x);")},
		{"misspelt return", within("retrun x;"), "2:1", "unknown-statement", "`return`", within("return x;")},
		{"capital While", within("While (x) { }"), "2:1", "unknown-statement", "`while`", within("while (x) { }")},
		{"numthreads", "[numthreads(8, 8, 1)]\nfn f() { }", "1:1", "bracket-attribute", "@workgroup_size(8, 8)", ""},
		{"old stage attribute", "[[stage(compute)]] fn f() { }", "1:1", "bracket-attribute", "`@compute`", ""},
		{"@stage", "@stage(compute) fn f() { }", "1:1", "unknown-attribute", "`@compute`", ""},
		{"misspelt attribute", "@compote @workgroup_size(1) fn f() { }", "1:1", "unknown-attribute", "`@compute`", "@compute @workgroup_size(1) fn f() { }"},
		{"and of Python", within("if a and b { }"), "2:6", "foreign-operator", "`&&`", within("if a && b { }")},
		{"missing parenthesis of a call", within("let x = max(a, b;"), "2:16", "missing-paren", "Write `)`", within("let x = max(a, b);")},
		{"missing bracket", within("let x = a[1;"), "2:11", "missing-bracket", "Write `]`", within("let x = a[1];")},
		{"missing brace of a block", "fn f() {\n  if x {\n  y = 1;\n}\nfn g() { }", "4:1", "missing-brace", "still open", ""},
		{"missing brace at the start of a block", "fn f() {\n  if (x)\n    y = 1;\n    z = 2;\n  }\n}", "2:8", "missing-braces", "`{` is missing", "fn f() {\n  if (x) {\n    y = 1;\n    z = 2;\n  }\n}"},
		{"doubled keyword", "var var<private> x: u32;", "1:5", "doubled-word", "twice", "var<private> x: u32;"},
		{"const parameter", "fn f(const x: f32) { }", "1:6", "foreign-declaration", "Delete it", "fn f(x: f32) { }"},
		{"const parameter in C's order", "fn f(const float* x) { }", "1:6", "type-before-name", "`x: f32`", "fn f(x: f32) { }"},
		{"CUDA kernel", "__global__ void add() { }", "1:1", "foreign-word", "@compute", ""},
		{"HLSL semantic", "fn f(uint3 id : SV_DispatchThreadID) { }", "1:6", "type-before-name", "`@builtin(global_invocation_id) id: vec3u`", ""},
		{"static const", within("static const n = 4;"), "2:1", "foreign-declaration", "Delete it", within("const n = 4;")},
		{"package", "package main\n\nfn f() { }", "1:1", "foreign-declaration", "Delete the line", ""},
		{"extra brace", "fn f() { } }", "1:12", "unexpected-brace", "closes nothing", ""},
		{"two indices", within("let x = a[1, 2];"), "2:12", "two-indices", "`[a][b]`", ""},
		{"function in a function", within("let g = fn() { };"), "2:9", "foreign-expression", "not a value", ""},
		{"unclosed comment", "/* fn f() { }", "1:1", "unclosed-comment", "`*/`", ""},
		{"zero byte", "fn f() {\x00 }", "1:9", "nul", "zero byte", "fn f() { }"},
		{"not UTF-8", "fn f() {\xff }", "1:9", "not-utf-8", "UTF-8", ""},
		{"bytes", "\x7fELF\x02\x00\xff\xfe\x00fn f() {}", "1:6", "not-utf-8", "The byte 0x00 here, and 3 more, are not text", ""},
		{"UTF-16", "\xff\xfef\x00n\x00", "1:1", "not-utf-8", "and 3 more", ""},
		{"a zero byte and another", "fn f() {\x00 }\xe9", "1:9", "not-utf-8", "and 1 more", ""},
		{"directive after a declaration", "const a = 1; enable f16;", "1:14", "misplaced-directive", "top", ""},
		{"h without f16", "const a = 1.0h;", "1:11", "f16-not-enabled", "enable f16;", "enable f16;\nconst a = 1.0h;"},
		{"unary plus", within("let x = +1;"), "2:9", "unary-plus", "Delete the `+`", within("let x = 1;")},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := NewSource("", c.text)
			file, diagnostics := Parse(source)
			checkTree(t, file)
			require.NotEmpty(t, diagnostics)
			d := diagnostics[0]
			position := source.Position(d.Span.Start)
			assert.Equal(t, c.at, fmt.Sprintf("%d:%d", position.Line, position.Column), d)
			assert.EqualValues(t, c.code, d.Kind, d)
			assert.Contains(t, d.Message+" "+d.Hint, c.says)
			if c.fixed != "" {
				require.NotEmpty(t, d.Fixes, d)
				fixed, err := findings.Apply(c.text, d.Fixes[0].Edits)
				require.NoError(t, err)
				assert.Equal(t, c.fixed, fixed)
			}
			if c.name != "C member" && c.name != "CUDA kernel" { // they contain two habits: `;`, and `void`
				assert.Len(t, diagnostics, 1, "one habit, one message: %v", diagnostics)
			}
		})
	}
}
