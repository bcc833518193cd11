package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aTemplate has a template with two branches, a part of another file, and placeholders.
var aTemplate = map[string]string{
	"shaders/scale.wgsl": `#ifdef HALF
#enable f16
#endif
#include "bound.wgsl"
@group(0) @binding(0) var<storage, read_write> v: array<number>;
@compute @workgroup_size({{size}}) fn main(@builtin(global_invocation_id) id: vec3u) {
    // print: id.x
    if id.x < arrayLength(&v) { v[BOUND(id.x)] *= ${factor}; }
}
`,
	"shaders/part/bound.wgsl": "#define BOUND(i) i + OFFSET\n",
	"shaders/types.wgsl":      "alias number = TYPE;", // without a line break at its end
	"wgslab.toml": `files = ["shaders"]
before = ["shaders/types.wgsl"]
include = ["shaders/part"]

[values]
size = 4
OFFSET = 0

[[variant]]
name = "f32"
values = {TYPE = "f32", factor = 2.0}

[[variant]]
name = "f16"
values = {TYPE = "f16", HALF = true, factor = "2h"}

[[variant]]
name = "wrong"
values = {TYPE = "u32", factor = "2.5"}
`,
}

func TestVetReadsEveryVariant(t *testing.T) {
	project(t, aTemplate)
	code, out, _ := wgslab(t, "vet")
	require.Equal(t, exitNotRight, code)
	assert.Contains(t, out, "shaders/scale.wgsl:8:")
	assert.Contains(t, out, ", in variant wrong]\n  8 |     if id.x < arrayLength(&v) { v[BOUND(id.x)] *= ${factor}; }\n")
	assert.Contains(t, out, "1 error in 1 of 1 shader with 3 variants", "the part isn't a shader of its own")

	code, out, _ = wgslab(t, "vet", "shaders", "--variant", "f16")
	require.Zero(t, code)
	assert.Contains(t, out, "1 shader, nothing found\nvet doesn't run shaders: ")

	code, out, _ = wgslab(t, "vet", "shaders", "-D", "factor=TYPE(3)", "--json")
	require.Zero(t, code, "the command line's values replace those of all variants")
	assert.Equal(t, "[]\n", out)

	code, out, _ = wgslab(t, "vet", "shaders", "--variant", "f64")
	require.Equal(t, exitAsked, code)
	assert.Contains(t, out, `wgslab.toml has no variant "f64" of shaders/scale.wgsl: choose from f32, f16, wrong`)
}

// Without a project, the command line has all values; what is missing is named once.
func TestVetNamesWhatIsMissing(t *testing.T) {
	project(t, map[string]string{"a.wgsl": "#ifdef DOUBLE\nconst n = {{n}} * {{n}};\n#endif\nconst m = {{ n }};\n#include \"none.wgsl\"\n"})
	code, out, _ := wgslab(t, "vet", "a.wgsl", "-D", "DOUBLE")
	require.Equal(t, exitNotRight, code)
	assert.Contains(t, out, "a.wgsl:2:11: error: `{{n}}` has no value. [preprocessing]")
	assert.Contains(t, out, "  Pass one with -D n=…, or write it under [values] in wgslab.toml.")
	assert.Contains(t, out, "  line 4: `{{ n }}` is here as well.")
	assert.Contains(t, out, "a.wgsl:5:1: error: There is no file none.wgsl in .: list its folder under include in wgslab.toml, or pass it with -I. [preprocessing]")
	assert.Contains(t, out, "2 errors in 1 of 1 shader")
}

func TestProjectFilesWithMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"include = 3":                        "wgslab.toml, line 1: include is a list of texts: write include = [\"…\"]",
		"files = 'a.wgsl'":                   "wgslab.toml, line 1: files is a list of texts: write files = [\"…\"]",
		"target = 3":                         "wgslab.toml, line 1: target is a text: write target = \"…\"",
		"values = 3":                         "wgslab.toml, line 1: values are a table: write [values]",
		"folders = []":                       "wgslab.toml, line 1: there is no key folders: choose files, exclude, include, before, target, values or variant",
		"[values]\na = [1]":                  "wgslab.toml, [values]: the value of a is no text, number, true or false",
		"[[variant]]\nvalues = {}":           "wgslab.toml: [[variant]] number 1 has no name",
		"[[variant]]\nname='a'\nfiles=['[']": `wgslab.toml, variant "a": files: the pattern "["`,
		"exclude = ['a[']":                   `wgslab.toml: exclude: the pattern "a["`,
		"\n[[variant]]\nname='a'\n[[variant]]\nfiles=['a.wgsl']\nname='a'":                               `wgslab.toml, line 6: two variants have the name "a": --variant can choose only one`,
		"[[variant]]\nname='a'\nfiles=['a*', 'b*']\n[[variant]]\nname='a'\nfiles=['b*']":                 "wgslab.toml, line 5: two variants",
		"before = [\n  'a.wgsl',\n  'none.wgsl']":                                                        "wgslab.toml, line 3: before: ",
		"[[variant]]\nname='a'\nbefore=['a.wgsl']\n[[variant]]\nname='b'\n\nbefore=['a.wgsl','no.wgsl']": "wgslab.toml, line 7: before: ",
		"[[variant]]\nname='a'\nvalues={b=[]}":                                                           `wgslab.toml, variant "a": the value of b is no text`,
	} {
		project(t, map[string]string{"a.wgsl": "const a = 1;", "wgslab.toml": text})
		code, out, _ := wgslab(t, "vet", "a.wgsl")
		require.Equal(t, exitAsked, code, text)
		assert.Contains(t, out, want)
	}
	project(t, map[string]string{"a.wgsl": "", "b/c.wgsl": "", "wgslab.toml": "before = ['none.wgsl']"})
	code, out, _ := wgslab(t, "vet", ".")
	require.Equal(t, exitAsked, code)
	assert.Equal(t, 1, strings.Count(out, "wgslab.toml, line 1: before: "), "once for all shaders: %s", out)
	assert.Contains(t, out, "1 file could not be read")
	project(t, nil)
	_, _, said := wgslab(t, "vet")
	require.Contains(t, said, "name a shader or a folder: there is no wgslab.toml here or above")
}

// Every tool shows the file's own lines.
func TestToolsRunTemplates(t *testing.T) {
	project(t, aTemplate)
	const file = "shaders/scale.wgsl"
	code, out, said := wgslab(t, "simulate", file, "--bind", "0=f32:1,2,3,4")
	require.Zero(t, code)
	assert.Contains(t, out, "f32: 2 4 6 8")
	assert.Contains(t, out, "Line 7 prints id.x")
	assert.Contains(t, said, file+" has 3 variants; this is \"f32\", and --variant chooses another\n")

	code, out, _ = wgslab(t, "simulate", file, "--bind", "0=f32:1,2,3,4", "-D", "OFFSET=1", "--variant", "f32")
	require.Equal(t, exitNotRight, code)
	assert.Contains(t, out, "out-of-bounds-")
	assert.Contains(t, out, ", line 8: ")
	assert.Contains(t, out, "8 |     if id.x < arrayLength(&v) { v[BOUND(id.x)] *= ${factor}; }")

	code, out, _ = wgslab(t, "cost", "-", file, "--bind", "0=f32[4]", "--variant", "f32")
	require.Zero(t, code)
	assert.Contains(t, out, "\n8     if id.x < arrayLength(&v) {")
	code, out, _ = wgslab(t, "simulate", file, "--disassemble", "--variant", "f32")
	require.Zero(t, code)
	assert.Contains(t, out, "   8 | if id.x < arrayLength(&v) { v[BOUND(id.x)] *= ${factor}; }\n")
	code, out, _ = debugged(t, "break 8\nrun\nlocals\n", "-", file, "--bind", "0=f32[4]", "--variant", "f32")
	require.Zero(t, code)
	assert.Contains(t, out, "   8 |     if id.x < arrayLength(&v)")
	launched := `{"program": "shaders/scale.wgsl", "bind": ["0=f16[4]"], "variant": "f32", "define": ["TYPE=f16", "HALF", "factor=2h"]}`
	target, _, err := loadTemplate(t.Context(), json.RawMessage(launched))
	require.NoError(t, err)
	require.Contains(t, target.Source.Text, "alias number = f16;")
	code, out, _ = wgslab(t, "fmt", "-d", file)
	require.Zero(t, code, "fmt keeps the directives: %s", out)
	_, _, said = wgslab(t, "cost", "matmul", "--variant", "f32")
	require.Contains(t, said, "--variant works only with a file instead of an exercise")
}

// Expanding prints what a compiler would read, and names what has no value.
func TestVetExpands(t *testing.T) {
	project(t, aTemplate)
	const file = "shaders/scale.wgsl"
	code, out, said := wgslab(t, "vet", "--expand", file, "--variant", "f16")
	require.Zero(t, code)
	require.Empty(t, said)
	assert.Contains(t, out, "enable f16;\nalias number = f16;\n")
	assert.Contains(t, out, "@workgroup_size(4)")
	assert.Contains(t, out, "    // print: id.x\n    if id.x < arrayLength(&v) { v[id.x + 0] *= 2h; }\n")
	assert.NotContains(t, out, "#")
	_, out, said = wgslab(t, "vet", "--expand", file, "-D", "sise=3")
	assert.Contains(t, out, "alias number = f32;\n")
	assert.Equal(t, file+" has 3 variants; this is \"f32\", and --variant chooses another\nwarning: -D sise: no shader here uses it. Did you mean size?\n", said)
	require.NoError(t, os.Remove("wgslab.toml"))
	code, out, said = wgslab(t, "vet", "--expand", file, "-I", "shaders/part")
	require.Equal(t, exitNotRight, code)
	assert.Contains(t, out, "@workgroup_size({{size}})")
	assert.Contains(t, said, file+":6:26: error: `{{size}}` has no value.")
	code, out, _ = wgslab(t, "vet", "--expand", "shaders/types.wgsl", "shaders/types.wgsl", "shaders/part/bound.wgsl", "-D", "TYPE=u32")
	require.Zero(t, code)
	assert.Equal(t, "// shaders/types.wgsl\nalias number = u32;\n// shaders/part/bound.wgsl\n\n", out)
}

func TestTestsRunTemplates(t *testing.T) {
	project(t, aTemplate)
	text, err := os.ReadFile("shaders/scale.wgsl")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("shaders/scale.wgsl", append(text, "// test: v = 1, 2, 3 → v = 2, 4, 6\n"...), 0o600))
	code, out, _ := wgslab(t, "test")
	require.Zero(t, code, out)
	assert.Contains(t, out, "1 test passed, 0 failed")
	code, out, _ = wgslab(t, "test", "-D", "factor=3.0")
	require.Equal(t, exitNotRight, code)
	assert.Contains(t, out, "line 10")
	assert.Contains(t, out, "shaders/scale.wgsl:8:33\n")
}

// A program isn't read as a shader, and neither command sees a string in it.
func TestProgramsAreNoShaders(t *testing.T) {
	project(t, map[string]string{"a.ts": "const a = `@compute @workgroup_size(${n}) fn main() {}`;", "b.RS": "fn main() {}", "c.js": "", "d.html": ""})
	for _, args := range [][]string{{"vet", "a.ts"}, {"vet", "b.RS"}, {"simulate", "b.RS"}, {"cost", "a.ts"}, {"fmt", "c.js"}, {"vet", "--expand", "d.html"}} {
		file := args[len(args)-1]
		code, out, said := wgslab(t, args...)
		assert.Equal(t, exitAsked, code, "%v", args)
		assert.Contains(t, out+said, file+" is a program and not a shader: put the text of its WGSL in a file of its own that ends in .wgsl", "%v", args)
	}
}

// vet says where a name that a shader lacks may come from: another file, a branch or the host.
func TestVetSaysWhereMissingNamesAre(t *testing.T) {
	main := "@compute @workgroup_size(1) fn main() { let a = start(2); let b = start(SIDE); }\n"
	project(t, map[string]string{
		"shaders/main.wgsl":   main,
		"shaders/common.wgsl": "struct Ray { at: f32 }\n  fn no() {}\n@must_use fn start(i: u32) -> Ray { return Ray(f32(i)); }\nconst SIDE = 2;\n",
		"shaders/whole.wgsl":  "fn other() { }\n" + main,
		"shaders/lacks.wgsl":  "fn f(r: Ray) { other(); no(); }\n",
		"tile.wgsl":           "#ifdef WIDE\n#define T vec4f\n#elif defined(HALF)\nalias T = f16;\n#else\n#endif\n#ifndef X\nfn g() {}\n#endif\nvar<private> t: T;\nfn f() { g(); h(); }\nfn k() { let a = amount; }\nfn l() { let a = amount; }\n",
	})
	const common = "`common.wgsl` declares it: include that file, or list it under before in wgslab.toml."
	for line, wants := range map[string][]string{
		"vet shaders/main.wgsl": {
			"1:49: error: `start` is not declared. [unknown-name]", "  " + common, "2 errors in 1 of 1 shader",
		},
		"vet shaders/lacks.wgsl": {
			"`Ray` is not declared. [unknown-name]\n  1 | fn f(r: Ray) { other(); no(); }\n    |         ^^^\n  " + common,
			"  Declare it, outside functions: `fn other(…) { … }`.", "  Declare it, outside functions: `fn no(…) { … }`.",
		},
		"vet tile.wgsl -D X": {
			"4 names are missing in 1 of 1 shader: T, amount, g and h. Hosts set such names: write them under [values] in wgslab.toml, or try one.\n  wgslab vet tile.wgsl -D amount=…\n",
			"A branch of this file has it: pass `-D WIDE` or `-D HALF`, or write a [[variant]] in wgslab.toml.",
			"line 13: It is used here as well.",
		},
	} {
		code, out, _ := wgslab(t, strings.Fields(line)...)
		require.Equal(t, exitNotRight, code)
		for _, want := range wants {
			assert.Contains(t, out, want, line)
		}
	}
}

// A name that only the host knows is one error, with the first of its places.
func TestVetNamesWhatTheHostKnowsOnce(t *testing.T) {
	text := "const a = SIZE;\nconst c = size;\n"
	for i := range 8 {
		text += fmt.Sprintf("fn f%d() { let x = SIZE; }\n", i)
	}
	project(t, map[string]string{"a.wgsl": text})
	code, out, _ := wgslab(t, "vet", "a.wgsl")
	require.Equal(t, exitNotRight, code)
	assert.Contains(t, out, "a.wgsl:1:11: error: `SIZE` is not declared. [unknown-name]\n  1 | const a = SIZE;\n    |           ^^^^\n  Declare it, or pass the host's value with -D SIZE=… or in wgslab.toml.\n  line 3: It is used here as well.\n")
	assert.Contains(t, out, "So it is in 3 more places.")
	assert.Contains(t, out, "2 errors in 1 of 1 shader")
	code, _, _ = wgslab(t, "vet", "a.wgsl", "-D", "SIZE=4", "-D", "size=SIZE")
	require.Zero(t, code)
}

// What is mistyped is told once, with its place, by all commands that read templates.
func TestMistypedNames(t *testing.T) {
	shaders := map[string]string{
		"a.wgsl":          "// N\n#ifdef HALF\nconst n = WG_SIZE;\n#endif\nconst m = {{ rows }} + ${n / 4};\n@compute @workgroup_size(1) fn main() { _ = m; }\n// test: main; v = 1 → v = 1\n",
		"b.wgsl":          "const k = BLOCK;\n",
		"parts/part.wgsl": "const p = PART;\n",
	}
	const values = "[values]\nrows = 4\n'n / 4' = 2\n"
	for _, c := range []struct {
		args, toml string
		warnings   []string
	}{
		{"vet a.wgsl b.wgsl -D BLOCK=2 -D HALF -D WG_SIZE=1", values, nil},
		{"vet a.wgsl -D WG_SZIE=3 -D N -D HALLF", values, []string{"-D HALLF: no shader here uses it. Did you mean HALF?", "-D N: no shader here uses it", "-D WG_SZIE: no shader here uses it. Did you mean WG_SIZE?"}},
		{"simulate a.wgsl -D row=3", values, []string{"-D row: no shader here uses it. Did you mean rows?"}},
		{"vet a.wgsl b.wgsl -I parts -I parst", values + "BLOCK = 1", []string{"-I parst: there is no such folder"}},
		{"vet a.wgsl", values + "BLOCK = 1\nPART = 2\n'n/4' = 3\n\nHAFL = true", []string{"wgslab.toml:8: no shader of the project uses the value HAFL. Did you mean HALF?", "wgslab.toml:6: no shader of the project uses the value n/4"}},
		{"vet", "include = [\n  'parts', # all\n  'prats',\n]\n" + values + "[[variant]]\nname = 'a'\nfiles = ['a.wgsl', 'c.wgsl', 'd/e/*.wgsl']\nvalues = {BLOCK = 2, RWOS = 2}\n[[variant]]\nname = 'b'\nvalues.RWOS = 3\nvalues.BLOCK = 3\n",
			[]string{"wgslab.toml:3: include: there is no folder prats", "wgslab.toml:10: files: no shader of the project is c.wgsl", "wgslab.toml:10: files: no shader of the project is d/e/*.wgsl", "wgslab.toml:11: no shader of the project uses the value RWOS"}},
		{"vet a.wgsl", "variant = [{name = 'a', files = ['part.wgsl', 'parts', 'parst']}]\n" + values + "[other]", nil}, // can't be read
		{"vet a.wgsl", "variant = [{name = 'a',\nfiles = ['part.wgsl', 'parts', '.', 'prat.wgsl']}]\n" + values, []string{"wgslab.toml:2: files: no shader of the project is prat.wgsl. Did you mean part.wgsl?"}},
		{"vet a.wgsl", "files = ['*.wgsl', 'shaders', 'c*.wgsl']\n" + values, []string{"wgslab.toml:1: files: there is no file or folder shaders"}},
		{"vet a.wgsl", values + "[[variant]]\nname = 'a'\n[[variant]]\nname = 'b'\n[variant.values]\nBLCOK = 1\n", []string{"wgslab.toml:9: no shader of the project uses the value BLCOK. Did you mean BLOCK?"}},
		{"vet a.wgsl", "[values]\n'n/4' = 2\n", []string{"wgslab.toml:2: no shader of the project uses the value n/4. Did you mean n / 4?"}},
		{"vet", values + "A1 = 1\nA2 = 1\nA3 = 1\nA4 = 1\nA5 = 1\nA6 = 1\nBLCOK = 1", []string{
			"wgslab.toml:10: no shader of the project uses the value BLCOK. Did you mean BLOCK?", "wgslab.toml:4: no shader of the project uses the value A1", "wgslab.toml:5: no shader of the project uses the value A2",
			"wgslab.toml:6: no shader of the project uses the value A3", "wgslab.toml:7: no shader of the project uses the value A4; nor 2 more values"}},
		{"vet a.wgsl -D X=rows -D Y=X", values, []string{"-D Y: no shader here uses it"}},
	} {
		project(t, shaders)
		require.NoError(t, os.WriteFile("wgslab.toml", []byte(c.toml), 0o600))
		_, _, said := wgslab(t, strings.Fields(c.args)...)
		var warnings []string
		for line := range strings.Lines(said) {
			if text, is := strings.CutPrefix(line, "warning: "); is {
				warnings = append(warnings, strings.TrimSpace(text))
			}
		}
		assert.Equal(t, c.warnings, warnings, "%s %s", c.args, c.toml)
	}
	require.NoError(t, os.WriteFile("wgslab.toml", []byte("\nfiles = ['shaders']\n"), 0o600))
	code, _, said := wgslab(t, "vet")
	require.Equal(t, exitAsked, code)
	require.Contains(t, said, "wgslab.toml, line 2: files: there is no file or folder shaders")
	for given, want := range map[string]string{"msaa 3": "write msaa=3", "a b c": "write NAME or NAME=VALUE", "3": "write NAME or NAME=VALUE", "=3": "defines no name"} {
		_, _, said = wgslab(t, "vet", "a.wgsl", "-D", given)
		require.Contains(t, said, want, given)
	}
}
