package wesl

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/format"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

type files map[string]string

// TestLink links small packages. Each result is compared as a set of declarations, and read by the
// front end, which finds names that the linker mixed up.
func TestLink(t *testing.T) {
	on := map[string]bool{"debug": true, "wide": false, "fast": true}
	for _, c := range []struct {
		name  string
		files files
		want  string
	}{
		{"nothing of WESL", files{"main.wgsl": "const a = 1;"}, "const a = 1;"},
		{"a tree", files{
			"main.wesl": "import package::a::{b::{one, two as zwei}, three}; fn f() -> i32 { return one + zwei + three; }",
			"a/b.wesl":  "const one = 1; const two = 2; const unused = 3;",
			"a.wgsl":    "const three = 3;",
		}, "fn f() -> i32 { return one + zwei + three; } const one = 1; const zwei = 2; const three = 3;"},
		{"an item of a file wins over a file in its folder", files{
			"main.wesl": "const x = package::a::b;", "a.wesl": "const b = 1;", "a/b.wesl": "const b = 2;",
		}, "const x = b; const b = 1;"},
		{"the package's own file", files{
			"main.wesl": "const x = package::base;", "package.wesl": "const base = 1;",
		}, "const x = base; const base = 1;"},
		{"super of a file in a folder", files{
			"main.wesl": "const x = package::a::b::deep;",
			"a/b.wesl":  "import super::c::near; const deep = near + super::super::top::far;",
			"a/c.wesl":  "const near = 1;", "top.wesl": "const far = 2;",
		}, "const x = deep; const deep = near + far; const near = 1; const far = 2;"},
		{"a parameter hides an import, and a block ends", files{
			"main.wesl": "import package::a::v; fn f(v: i32) -> i32 { return v; } fn g() -> i32 { { let v = 2; _ = v; } return v; }",
			"a.wesl":    "const v = 1;",
		}, "fn f(v: i32) -> i32 { return v; } fn g() -> i32 { { let v = 2; _ = v; } return v; } const v = 1;"},
		{"the value of a local is from outside", files{
			"main.wesl": "import package::a::v; fn g() -> i32 { let v = v + 1; return v; }", "a.wesl": "const v = 1;",
		}, "fn g() -> i32 { let v = v + 1; return v; } const v = 1;"},
		{"a continuing part sees its loop's names", files{
			"main.wesl": "import package::a::v; fn g() { loop { let v = 1; continuing { _ = v; break if v == 1; } } }", "a.wesl": "const v = 1;",
		}, "fn g() { loop { let v = 1; continuing { _ = v; break if v == 1; } } }"},
		{"a local name would capture a path", files{
			"main.wesl": "fn g() -> i32 { let v = 1; return v + package::a::v; }", "a.wesl": "const v = 2;",
		}, "fn g() -> i32 { let v = 1; return v + v0; } const v0 = 2;"},
		{"a local name would capture the new name", files{
			"main.wesl": "import package::a::f; const v = 1; fn g() -> i32 { return v + f(); }",
			"a.wesl":    "const v = 2; fn f() -> i32 { let v0 = 1; return v0 + v; }",
		}, "const v = 1; fn g() -> i32 { return v + f(); } fn f() -> i32 { let v0 = 1; return v0 + v1; } const v1 = 2;"},
		{"a root's name would capture a builtin", files{
			"main.wesl": "import package::a::f; fn min(x: i32) -> i32 { return f(x); } fn g() -> i32 { return min(2); }",
			"a.wesl":    "fn f(x: i32) -> i32 { return min(x, 1); }",
		}, "fn min0(x: i32) -> i32 { return f(x); } fn g() -> i32 { return min0(2); } fn f(x: i32) -> i32 { return min(x, 1); }"},
		{"types in templates, attributes and members", files{
			"main.wesl": "import package::a; struct S { @size(a::N) x: array<a::T, a::N> } @compute @workgroup_size(a::N) fn main(@builtin(position) p: vec4f) { }",
			"a.wesl":    "alias T = u32; const N = 4; const position = 1;",
		}, "struct S { @size(N) x: array<T, N> } @compute @workgroup_size(N) fn main(@builtin(position) p: vec4f) { } alias T = u32; const N = 4;"},
		{"members and swizzles are no names", files{
			"main.wesl": "import package::a::x; fn f(v: vec2f) -> f32 { return v.x + x; }", "a.wesl": "const x = 1.0;",
		}, "fn f(v: vec2f) -> f32 { return v.x + x; } const x = 1.0;"},
		{"extensions of what is used", files{
			"main.wesl": "import package::a::h; enable f16; fn f() -> f16 { return h; }",
			"a.wesl":    "enable f16, subgroups; const h = 1h;", "b.wesl": "enable clip_distances;",
		}, "enable subgroups; enable f16; fn f() -> f16 { return h; } const h = 1h;"},
		{"an imported entry point", files{
			"main.wesl": "import package::a::run as go;", "a.wesl": "@compute @workgroup_size(1) fn run() { } fn other() { }",
		}, "@compute @workgroup_size(1) fn go() { }"},
		{"features", files{
			"main.wesl": "@if(debug && !wide) const a = 1; @elif(fast) const a = 2; @else const a = 3; struct S { @if(wide) x: array<vec2<u32>, 2>, @elif(debug) x: u32, @else x: f32, y: u32 }",
		}, "const a = 1; struct S { x: u32, y: u32 }"},
		{"an @elif and an @else of another chain", files{
			"main.wesl": "fn f() { @if(wide) { @if(debug) let a = 1; @else let a = 2; } @elif(wide) { } @else if debugging { } else { } @if(debug) return; }\nconst debugging = false;",
		}, "fn f() { if debugging { } else { } return; } const debugging = false;"},
		{"a condition after another attribute, and parameters", files{
			"main.wesl": "@compute @if(debug) @workgroup_size(1) fn main() {} @must_use @if(wide) fn w() -> i32 { return 1; } fn p(a: u32, @if(wide) b: array<u32, 2>) {}",
		}, "@compute @workgroup_size(1) fn main() {} fn p(a: u32) {}"},
		{"a condition on an import", files{
			"main.wesl": "@if(wide) import package::nowhere::v; @else import package::a::v; const x = v;", "a.wesl": "const v = 1;",
		}, "const x = v; const v = 1;"},
		{"a path over two lines, with a comment", files{
			"main.wesl": "const x = package::\n  a:: // here\n v;", "a.wesl": "const v = 1;",
		}, "const x = v; const v = 1;"},
		{"files that use each other", files{
			"main.wesl": "import package::a::f; fn g() -> i32 { return f(); }",
			"a.wesl":    "fn f() -> i32 { return package::b::h(); } const base = 1;", "b.wesl": "fn h() -> i32 { return super::a::base; }",
		}, "fn g() -> i32 { return f(); } fn f() -> i32 { return h(); } fn h() -> i32 { return base; } const base = 1;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := linked(c.files, on)
			for _, f := range got.Problems() {
				t.Errorf("a finding: %v", f)
			}
			if got, want := parts(got.Text), parts(c.want); !slices.Equal(got, want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
		})
	}
}

// TestMistakes shows each message, and that its place is in the file that has the mistake.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name  string
		files files
		want  string // file:line:column and a part of the message
	}{
		{"a feature without a value, twice", files{"main.wesl": "@if(nope) const a = 1;\n@if(!nope) const b = 1;"}, "main.wesl:1:5 feature `nope` has no value"},
		{"a feature in another file", files{"main.wesl": "const x = package::a::b;", "a.wesl": "\n@if(nope)\nconst a = 1; const b = 1;"}, "a.wesl:2:5 -D nope=true"},
		{"no file", files{"main.wesl": "import package::lights::sun;"}, "main.wesl:1:25 no file lights.wesl or lights.wgsl"},
		{"no file, in a folder", files{"main.wesl": "const x = package::a::b::c;", "a.wesl": ""}, "main.wesl:1:11 no file a/b.wesl"},
		{"a misspelt item", files{"main.wesl": "import package::a::noise2;", "a.wesl": "fn noise() {}"}, "main.wesl:1:20 Did you mean `noise`?"},
		{"a path into an item", files{"main.wesl": "const x = package::a::S::x;", "a.wesl": "struct S { x: u32 }"}, "main.wesl:1:11 `S` in a.wesl is an item"},
		{"a file as a value", files{"main.wesl": "import package::a; const x = a;", "a.wesl": "const b = 1;"}, "main.wesl:1:30 is a file, a.wesl"},
		{"the file beside, without package", files{"main.wesl": "const x = a::b;", "a.wesl": "const b = 1;"}, "main.wesl:1:11 `package::a::b`"},
		{"no package", files{"main.wesl": "import bevy::pbr; const x = pbr;"}, "main.wesl:1:29 wesl.toml"},
		{"out of the package", files{"main.wesl": "const x = super::super::a::b;"}, "main.wesl:1:11 leads out"},
		{"imported and declared", files{"main.wesl": "import package::a::b;\nconst b = 1;", "a.wesl": "const b = 1;"}, "main.wesl:1:20 declares it as well"},
		{"imported twice", files{"main.wesl": "import package::a::b; import package::a::c as b;", "a.wesl": "const b = 1; const c = 2;"}, "main.wesl:1:47 imported twice"},
		{"no semicolon", files{"main.wesl": "import package::a::b\nconst x = 1;", "a.wesl": "const b = 1;"}, "main.wesl:2:1 needs `;`"},
		{"an @else alone", files{"main.wesl": "const a = 1; @else const b = 1;"}, "main.wesl:1:14 no `@if` before"},
		{"an @elif after an @else", files{"main.wesl": "@if(true) const a = 1; @else const b = 1; @elif(true) const c = 1;"}, "main.wesl:1:43 no `@if` before"},
		{"an @if before an expression", files{"main.wesl": "const a = @if(true) 1;"}, "main.wesl:1:11 can't be here"},
		{"an @if before a body", files{"main.wesl": "fn f() @if(true) { }"}, "main.wesl:1:8 can't be here"},
		{"an @if before an argument", files{"main.wesl": "const a = max(@if(true) 1, 2);"}, "main.wesl:1:15 can't be here"},
		{"an @if at the end", files{"main.wesl": "fn f() { @if(true) }"}, "main.wesl:1:10 can't be here"},
		{"two conditions", files{"main.wesl": "@if(true) @if(false) const a = 1;"}, "main.wesl:1:11 only one"},
		{"no condition", files{"main.wesl": "@if const a = 1;"}, "main.wesl:1:1 has no condition"},
		{"&& beside ||", files{"main.wesl": "@if(true && false || true) const a = 1;"}, "main.wesl:1:19 can't have `||`"},
		{"a comparison", files{"main.wesl": "@if(true == false) const a = 1;"}, "main.wesl:1:10 can't have `==`"},
		{"two overrides with one name", files{"main.wesl": "override n = 1; const x = package::a::n;", "a.wesl": "override n = 2;"}, "a.wesl:1:10 the host uses"},
		{"WGSL in another file", files{"main.wesl": "import package::a::f; fn g() { f(); }", "a.wesl": "\nfn f() { let x = ; }"}, "a.wesl:2:16 error"},
		{"a type in another file", files{"main.wesl": "import package::a::f;\nfn g() { f(); }", "a.wesl": "// é\nconst a = 1; fn f() { let x: u32 = 1.5; }"}, "a.wesl:2:36 error"},
		{"a type in this file", files{"main.wesl": "import package::a::f;\nfn g() { f(); let x: u32 = 1.5; }", "a.wesl": "fn f() { }"}, "main.wesl:2:28 error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := linked(c.files, nil)
			found := wgsl.ReadSource(source, types.Options{Features: wgsl.Features}).Findings
			if len(found) != 1 {
				t.Fatalf("%d findings, want one: %v", len(found), found)
			}
			f := found[0]
			file := f.Region.File
			if file == "" {
				file = source.Name
			}
			place := fmt.Sprintf("%s:%d:%d", file, f.Region.Line, f.Region.Column)
			at, part, _ := strings.Cut(c.want, " ")
			if place != at || !strings.Contains(f.String(), part) {
				t.Errorf("%s: %v, want %s", place, f, c.want)
			}
		})
	}
}

// TestOpen finds the package of a file: by a wesl.toml, by what its host has, or its own folder.
func TestOpen(t *testing.T) {
	folder := t.TempDir()
	for name, text := range (files{
		"app/wesl.toml":                               "[package]\nedition = \"2026_pre\"\nroot = \"src\"\n[dependencies]\nnoise = {path = \"../noise\"}\nother = {}\n",
		"app/src/passes/main.wesl":                    "import package::base::one; import noise::value::v; const x = one + v;",
		"app/src/base.wesl":                           "const one = 1;",
		"noise/wesl.toml":                             "[package]\nedition = \"2026_pre\"\n",
		"noise/shaders/value.wesl":                    "const v = super::hash::h;",
		"noise/shaders/hash.wgsl":                     "const h = 2;",
		"web/package.json":                            "{}",
		"web/shaders/passes/run.wesl":                 "const x = package::base::one;",
		"web/shaders/base.wesl":                       "const one = 1;",
		"web/loose/run.wesl":                          "const x = package::base::one;",
		"web/loose/base.wesl":                         "const one = 1;",
		"old/wesl.toml":                               "edition = \"unstable_2025\"\nroot = \"src\"\ndependencies = [\"hash_it\"]\n",
		"old/src/a/run.wesl":                          "import package::base::one; import hash_it::{h, deep::d}; const x = one + h + d + own__b::c;",
		"old/src/base.wesl":                           "const one = 1;",
		"old/node_modules/hash-it/dist/weslBundle.js": "import other from \"other\";\nexport const weslBundle = {\n  name: \"hash_it\",\n  modules: {\n    \"lib.wgsl\":\n      \"// \\\"h\\\"\\nconst h = 3;\",\n    \"deep.wesl\": \"const d = other::o;\",\n  },\n  dependencies: [other],\n};\n",
		"old/node_modules/other/dist/weslBundle.js":   "export const weslBundle = {\"modules\": {\"lib.wesl\": \"const o = 4;\"}}",
		"old/node_modules/@own/b/wesl.toml":           "",
		"old/node_modules/@own/b/shaders/lib.wesl":    "const c = 5;",
	}) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"app/src/passes/main.wesl":    "const x = one + v; const one = 1; const v = h; const h = 2;",
		"web/shaders/passes/run.wesl": "const x = one; const one = 1;",
		"web/loose/run.wesl":          "const x = one; const one = 1;",
		"old/src/a/run.wesl":          "const x = one + h + d + c; const one = 1; const h = 3; const d = o; const o = 4; const c = 5;",
	} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		in, inside, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := Link(syntax.NewSource(file, string(text)), inside, in, nil)
		if got, want := parts(got.Text), parts(want); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// written is a module with all of WESL's notation.
const written = `import package::a::{b,
    c as d};
  @if( debug ) import super::log ; // twice
@if(debug) @compute @workgroup_size( 1 )
  fn main() { @if(!debug)  let x = package :: a::f( 1 ,d);
     @else { log::it(b); }
switch 1 { @if(debug) case 1: { } default: { } }
}
struct S { @if(debug) x: array<log::T,2>, @else y: f32 }
@if(debug) const a=1;
@elif( wide )
const a=2;
`

// Format changes white space alone, and keeps imports, conditions and paths.
func TestFormat(t *testing.T) {
	got, err := Format(written, format.Format)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(words(got), words(written)) {
		t.Errorf("the tokens differ: %s", got)
	}
	const want = `import package::a::{b,
    c as d};
@if( debug ) import super::log ; // twice
@if(debug) @compute @workgroup_size(1)
fn main() {
    @if(!debug) let x = package :: a::f(1, d);
    @else { log::it(b); }
    switch 1 {
        @if(debug) case 1: {}
        default: {}
    }
}
struct S {
    @if(debug) x: array<log::T, 2>,
    @else y: f32
}
@if(debug) const a = 1;
@elif( wide )
const a = 2;
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, err := Format(got, format.Format); again != got || err != nil {
		t.Errorf("formatted again: %v\n%s", err, again)
	}
	for text, want := range map[string]string{
		"import package::{a,\n b};\nfn f() { let x = ; }": "line 3: ",
		"\nimport package::a b;":                          "line 2: The import needs `;`",
		"fn f() { a::b::c }\n@if(x) fn g( { }":            "line 1: ",
	} {
		if _, err := Format(text, format.Format); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "wgslab_") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A module that is being typed has mistakes, and no other harm: cut off, or without a token.
func TestAnyText(t *testing.T) {
	texts := []string{"::", "a::", "@if", "@if(", "@", "import", "@else", "@if(a)}", "fn f() { @if(true) if true {} else", "package::", "super::::a", "import super::super::super::a;", "const a = super::package::b;"}
	for i := range written {
		texts = append(texts, written[:i])
	}
	for _, token := range syntax.Tokens(syntax.NewSource("", written)) {
		texts = append(texts, written[:token.Start]+written[token.End:])
	}
	for _, text := range texts {
		for _, other := range []string{"fn f() {} const b = package::main::a;", text} {
			source := linked(files{"main.wesl": text, "a.wesl": other, "log.wesl": other}, map[string]bool{"debug": true, "wide": false})
			for _, f := range wgsl.ReadSource(source, types.Options{Features: wgsl.Features}).Findings {
				if f.Region.Line < 1 {
					t.Errorf("%q: a finding without a place: %v", text, f)
				}
			}
		}
		if got, err := Format(text, format.Format); err == nil && !slices.Equal(words(got), words(text)) {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// Text that only looks like WESL, in a comment or a name, is WGSL.
func TestUses(t *testing.T) {
	for text, want := range map[string]bool{
		"const important = 1; // import a::b; @if(x)":                              false,
		"@compute @workgroup_size(1) fn main() { if true { } else { } }":           false,
		"fn f(a: u32, b: array<u32, 2>) { switch a { case 1: { } default: { } } }": false,
		"import package::a;": true, "@ if(a) const b = 1;": true, "const a = b::c;": true, "@else const a = 1;": true,
	} {
		if got := Uses(text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
