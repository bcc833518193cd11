package assist_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// before is a shader up to the body of its entry point.
const before = `// What the host sets.
struct Params {
    // How many elements there are.
    n: u32,
    scale: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
var<workgroup> tile: array<f32, 64>;
const width = 64u;
alias Row = vec4<f32>;

// The square of a number. It is exact for small ones.
fn square(x: f32) -> f32 {
    return x * x;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let row = id.x;
    var sum = 0.0;
`

// after is what follows the statement that is being typed.
const after = "\n    sum += 1.0;\n}\n\nfn later() -> u32 { return 1u; }\n"

// complete completes at the | in a text.
func complete(t *testing.T, text string) assist.Completion {
	t.Helper()
	at := strings.Index(text, "|")
	require.GreaterOrEqual(t, at, 0)
	return assist.Complete(text[:at]+text[at+1:], at)
}

func texts(c assist.Completion) []string {
	var list []string
	for _, item := range c.Items {
		list = append(list, item.Text)
	}
	return list
}

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		typed string // in the body
		first string // the first proposals, separated by spaces
		never string
	}{
		{"let y = r|", "row", "return"},
		{"let y = s|;", "sum square", "struct switch"},
		{"let y = |;", "sum row", "main if workgroupBarrier read_write"},
		{"su|", "sum", "row"},
		{"|", "sum tile out if for", "values params id main dot"},
		{"params.|", "n scale", "x"},
		{"let q = values[params.|];", "n scale", ""},
		{"let q = square(params.|", "n scale", ""},
		{"id.|", "x y z xy xyz r", "w n"},
		{"out[row].|", "x y z w", "n"},
		{"out[row].xy|", "xy xyx xyy xyz", "r"},
		{"out[square(f32(row)) + id.|] = Row();", "x y z", ""},
		{"(id + id).|", "x y z", ""},
		{"let y = dot(id.|", "x y z", ""},
		{"let y: |", "Row Params f32 u32 i32 bool array", "sum dot if"},
		{"let y: array<|", "Row Params f32", "sum"},
		{"let y = array<f32, w|", "width", "while"},
		{"var<| > y: f32", "function", "storage"},
		{"let p: ptr<|", "function storage", "f32"},
		{"let p: ptr<storage, |", "Row Params f32", "read"},
		{"let p: ptr<storage, f32, |", "read read_write", "write function"},
		{"if row < |", "sum row", "function"},
		{"let |", "", "sum"},
		{"for (|", "var let const sum", "if"},
		{"for (var i = 0u; i < wi|", "width", ""},
		{"for (var i = 0u; i < width; |", "i sum row", ""},
		{"for (var i = 0u; i < width; i++) { |", "i sum tile", "width"},
		{"for (var i = 0u; i < width; i++) { b|", "break", ""},
		{"b|", "", "break"},
		{"switch row { |", "case default", "sum"},
		{"switch row { case 1u: { su|", "sum", ""},
		{"if row == 0u { } el|", "else", ""},
		{"if row == 0u { } else |", "if", "sum"},
		{"loop { continuing { break |", "if", "sum"},
		{"sum = 1.0\n    su|", "sum", ""},
		{"workgroupB|", "workgroupBarrier", ""},
		{"textureSam|", "", "textureSample"}, // of fragment shaders only
		{"let y = LE|", "length", "let"},
		{"let y = arraylen|", "arrayLength", ""},
		{"// su|", "", "sum"},
		{"/* su| */", "", "sum"},
		{"let y = 1|", "", "sum"},
		{"let y = 1u|", "", "u32"},
	} {
		for _, text := range []string{before + "    " + c.typed + after, before + "    " + c.typed} {
			got := texts(complete(t, text))
			want := strings.Fields(c.first)
			if c.first == "" && c.typed != "b|" {
				assert.Empty(t, got, c.typed)
			}
			require.GreaterOrEqual(t, len(got), len(want), "%s: %v", c.typed, got)
			assert.Equal(t, want, append([]string{}, got[:len(want)]...), c.typed)
			for _, never := range strings.Fields(c.never) {
				assert.NotContains(t, got, never, c.typed)
			}
		}
	}
}

func TestCompleteOutsideOfFunctions(t *testing.T) {
	for _, c := range []struct{ text, first, never string }{
		{"|", "fn var const struct override alias const_assert enable", "if sum"},
		{"const a = 1;\n|", "fn var", "enable"},
		{"en|", "enable", ""},
		{"enable |", "atomic_vec2u_min_max clip_distances", "swizzle_assignment"},
		{"@|", "binding compute", "builtin align size"},
		{"@group(0) @|", "binding", "compute group"},
		{"@compute @|", "diagnostic fragment must_use vertex workgroup_size", "binding compute"},
		{"@compute @workgroup_size(64) |", "fn var override", "struct"},
		{"const n = 8; @compute @workgroup_size(|", "n", "main"},
		{"struct S { @| a: f32 }", "align builtin", "binding"},
		{"struct S { |", "", "f32"},
		{"struct S { a: |", "f32", "a"},
		{"fn f(|", "", "f32"},
		{"fn f(a: |", "f32", ""},
		{"fn f(@|", "builtin", "align"},
		{"fn f() -> |", "f32", "f"},
		{"fn |", "", "main"},
		{"alias A = |", "f32", "abs"},
		{"var<|", "storage uniform workgroup private", "function immediate"},
		{"var<storage, |", "read read_write", "write"},
		{"var<workgroup, |", "", "read"},
		{"var<private> x: |", "f32", ""},
		{"@compute @workgroup_size(64) fn main(@builtin(|", "global_invocation_id local_invocation_id", "position vertex_index"},
		{"@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(|", "local_invocation_id", "global_invocation_id"},
		{"@vertex fn main() -> @builtin(|", "position", "vertex_index"},
		{"@fragment fn main(@location(0) @interpolate(|", "flat linear perspective", "center"},
		{"@fragment fn main(@location(0) @interpolate(flat, |", "first either", "center"},
		{"diagnostic(|", "error warning info off", ""},
		{"diagnostic(off, |", "derivative_uniformity subgroup_uniformity", "off"},
		{"var t: texture_storage_2d<rgba8|", "rgba8sint rgba8snorm", "rgba16unorm"},
		{"var t: texture_storage_2d<rgba8unorm, |", "write read read_write", "storage"},
		{"const a = 1; fn f() { } const b = |", "a", "f"},
	} {
		got := texts(complete(t, c.text))
		want := strings.Fields(c.first)
		if c.first == "" {
			assert.Empty(t, got, c.text)
		}
		require.GreaterOrEqual(t, len(got), len(want), "%s: %v", c.text, got)
		assert.Equal(t, want, append([]string{}, got[:len(want)]...), c.text)
		for _, never := range strings.Fields(c.never) {
			assert.NotContains(t, got, never, c.text)
		}
	}
}

// Each item says what it is.
func TestItems(t *testing.T) {
	item := func(typed string) assist.Proposal {
		found := complete(t, before+"    "+typed+after)
		require.NotEmpty(t, found.Items, typed)
		return found.Items[0]
	}
	assert.Equal(t, assist.Proposal{"square", assist.Function, "fn square(x: f32) -> f32", "The square of a number."}, item("let y = squ|"))
	assert.Equal(t, assist.Proposal{"n", assist.Member, "u32", "How many elements there are."}, item("params.|"))
	assert.Equal(t, assist.Proposal{"scale", assist.Member, "f32", "From byte 4 of Params on, 4 bytes long."}, item("params.s|"))
	assert.Equal(t, assist.Proposal{"tile", assist.Variable, "array<f32, 64>", "In workgroup memory; declared on line 10."}, item("ti|"))
	assert.Equal(t, assist.Proposal{"width", assist.Constant, "u32", "Is 64u; declared on line 11."}, item("let y = wi|"))
	assert.Equal(t, assist.Proposal{"Params", assist.Struct, "struct { n: u32, scale: f32 }", "What the host sets."}, item("let y: Pa|"))
	floor := item("let y = flo|")
	assert.Equal(t, "floor(e: S) -> S, where S is f32 or f16, or a vector of them", floor.Detail)
	assert.Equal(t, types.LookupBuiltin(types.FunctionBuiltin, "floor").Doc, floor.Doc)
}

// Completion replaces the whole word, even if the cursor is within it.
func TestReplacesTheWord(t *testing.T) {
	text := "fn f() { let größe = 1; let y = gr; }"
	at := strings.LastIndex(text, "gr") + 1
	found := assist.Complete(text, at)
	require.Equal(t, "größe", found.Items[0].Text)
	assert.Equal(t, "fn f() { let größe = 1; let y = größe; }", text[:found.Start]+found.Items[0].Text+text[found.End:])
}

// One text has the maximum length of the front end, another is longer.
func TestLongTexts(t *testing.T) {
	for _, length := range []int{syntax.MaxSource - 1, syntax.MaxSource, syntax.MaxSource + 1} {
		text := "const a = 1;" + strings.Repeat("\n", length-12)
		assert.NotPanics(t, func() {
			assist.Complete(text, 3)
			assist.Inspect(text, 7)
			assist.IsComplete(text)
		}, length)
	}
}

func TestCodePoints(t *testing.T) {
	text := "ä😀b"
	for points, bytes := range []int{0, 2, 6, 7} {
		assert.Equal(t, bytes, assist.ByteOffset(text, points))
		assert.Equal(t, points, assist.CodePoints(text, bytes))
	}
	assert.Equal(t, len(text), assist.ByteOffset(text, 99))
	assert.Equal(t, 0, assist.ByteOffset(text, -1))
	assert.Equal(t, 1, assist.CodePoints(text, 4), "in the middle of a character")
}

func TestIsComplete(t *testing.T) {
	for text, want := range map[string][2]string{
		"":                                     {"complete", ""},
		"const a = 1;":                         {"complete", ""},
		"fn f() { }":                           {"complete", ""},
		"fn f() { let x = nothing; }":          {"complete", ""}, // by its grammar
		"fn f() {":                             {"incomplete", "    "},
		"fn f() {\n  if true {\n    let x = 1": {"incomplete", "    "},
		"fn f() {\n\tif true {\n":              {"incomplete", "\t\t"},
		"fn f(a: f32,":                         {"incomplete", ""},
		"const a =":                            {"incomplete", ""},
		"const a = 1":                          {"incomplete", ""},
		"/* a comment":                         {"incomplete", ""},
		"@compute @workgroup_size(8)":          {"incomplete", ""},
		"fn f() { } }":                         {"invalid", ""},
		"fn f() { let = 1; x = 2;":             {"invalid", ""},
		"const 1 = 2;":                         {"invalid", ""},
	} {
		whole, indent := assist.IsComplete(text)
		assert.Equal(t, want, [2]string{string(whole), indent}, text)
	}
}

// shaders returns the course's shaders and those that learners write, right and wrong ones.
func shaders(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(pattern string, paths []string, err error, read func(string) ([]byte, error)) {
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			text, err := read(path)
			require.NoError(t, err)
			if strings.Contains(string(text), "fn ") { // a case that a learner writes has only numbers
				all[path] = string(text)
			}
		}
	}
	for _, pattern := range []string{"*/reference.wgsl", "*/*/*.wgsl"} {
		paths, err := exercises.Files.Glob(pattern)
		add(pattern, paths, err, exercises.Files.ReadFile)
	}
	paths, err := filepath.Glob("../../../shaders/*/*.wgsl")
	add("shaders", paths, err, os.ReadFile)
	return all
}

// every is the step between tried shaders in slow tests.
var every = 8

// some returns the names of the shaders to try, in order.
func some(shaders map[string]string) []string {
	var paths []string
	for i, path := range slices.Sorted(maps.Keys(shaders)) {
		if i%every == 0 {
			paths = append(paths, path)
		}
	}
	return paths
}

// Nothing panics, wherever a shader is cut off, and every answer is within the text.
func TestAnyText(t *testing.T) {
	all := shaders(t)
	paths := slices.Sorted(maps.Keys(all))
	rapid.Check(t, func(t *rapid.T) {
		text := all[rapid.SampledFrom(paths).Draw(t, "shader")]
		offset := rapid.IntRange(0, len(text)).Draw(t, "offset")
		cut := rapid.IntRange(offset, len(text)).Draw(t, "cut")
		text = text[:offset] + rapid.SampledFrom([]string{"", "(", "{", ".", "@", "<", ";", "}", "ä", "/*", "\xff"}).Draw(t, "typed") + text[cut:]
		found := assist.Complete(text, offset)
		if found.Start < 0 || found.Start > found.End || found.End > len(text) {
			t.Fatalf("%d to %d of %d", found.Start, found.End, len(text))
		}
		for _, item := range found.Items {
			if item.Text == "" || !utf8.ValidString(item.Text) || strings.Contains(item.Text+item.Detail+item.Doc, "at_the_cursor") {
				t.Fatalf("%+v", item)
			}
		}
		if i, ok := assist.Inspect(text, offset); ok && (i.Text() == "" || i.Markdown() == "") {
			t.Fatalf("%+v", i)
		}
		assist.IsComplete(text[:offset])
	})
}

// Every proposed name is one that the front end knows there. In the place of a correct word it may
// have the wrong type, but it is never undeclared. The word itself is proposed as well.
func TestItemsResolve(t *testing.T) {
	all := shaders(t)
	draw := rand.New(rand.NewPCG(1, 2))
	words, items := 0, 0
	for _, path := range some(all) {
		text := all[path]
		shader := wgsl.Read("", text, types.Options{Features: wgsl.LanguageFeatures})
		if !shader.Valid() {
			continue
		}
		var spans []syntax.Span
		syntax.Walk(shader.File, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.IdentExpr:
				spans = append(spans, n.Name.Span())
			case *syntax.MemberExpr:
				spans = append(spans, n.Name.Span())
			}
			return true
		}, nil)
		if len(spans) == 0 {
			continue // it names nothing
		}
		for range 2 {
			span := spans[draw.IntN(len(spans))]
			word := shader.Source.Slice(span)
			words++
			typed := assist.Complete(text, int(span.Start)+1)
			require.Contains(t, texts(typed), word, "%s at %d", path, span.Start)
			fresh := assist.Complete(text[:span.Start]+text[span.End:], int(span.Start))
			if len(word) == 1 || strings.Trim(word, "xyzwrgba") != "" { // only some swizzles are shown at once
				require.Contains(t, texts(fresh), word, "%s at %d", path, span.Start)
			}
			for range 3 {
				item := typed.Items[draw.IntN(len(typed.Items))]
				items++
				got := wgsl.Read("", text[:typed.Start]+item.Text+text[typed.End:], types.Options{Features: wgsl.LanguageFeatures})
				for _, d := range got.Findings {
					unknown := []findings.Kind{findings.UnknownName, "unknown-member", "bad-swizzle", "unknown-attribute", "unknown-builtin", "extension-not-enabled"}
					if slices.Contains(unknown, d.Kind) && int(d.Span.Start) == typed.Start {
						t.Errorf("%s at %d: %s: %s", path, typed.Start, item.Text, d)
					}
				}
			}
		}
	}
	assert.Greater(t, words, 800/every)
	assert.Greater(t, items, 2400/every)
}

var comments = regexp.MustCompile(`//.*`)

// A shader that ends at the cursor has the same names in scope as the whole one.
func TestUnfinishedShadersKeepTheirNames(t *testing.T) {
	all := shaders(t)
	draw := rand.New(rand.NewPCG(3, 4))
	compared := 0
	for _, path := range some(all) {
		text := all[path]
		file, found := syntax.Parse(syntax.NewSource("", text))
		if findings.HasErrors(found) {
			continue
		}
		var locals []int
		syntax.Walk(file, func(n syntax.Node) bool {
			if x, ok := n.(*syntax.IdentExpr); ok {
				locals = append(locals, int(x.Name.Span().Start))
			}
			return true
		}, nil)
		if len(locals) == 0 {
			continue
		}
		for range 4 {
			at := locals[draw.IntN(len(locals))]
			whole, cut := assist.Complete(text, at), assist.Complete(text[:at], at)
			names := func(c assist.Completion) (names []string) {
				for _, item := range c.Items {
					if item.Kind == assist.Parameter || item.Kind == assist.Constant || item.Kind == assist.Variable {
						names = append(names, item.Text)
					}
				}
				return names
			}
			before := comments.ReplaceAllString(text[:at], "")
			declaredLater := func(name string) bool { return !strings.Contains(before, name) }
			want := slices.DeleteFunc(names(whole), declaredLater)
			require.Equal(t, want, names(cut), "%s: …%s", path, text[max(0, at-60):at])
			compared++
		}
	}
	assert.Greater(t, compared, 1600/every)
}

// long returns a shader of about 300 lines.
func long(t testing.TB) string {
	var b strings.Builder
	for n := 0; strings.Count(b.String(), "\n") < 270; n++ {
		b.WriteString(strings.ReplaceAll("fn step_N(x: f32) -> f32 {\n  var sum = x;\n  for (var i = 0u; i < 8u; i++) {\n    sum += sqrt(f32(i)) * x;\n    if sum > 100.0 {\n      sum -= dot(vec3f(x), vec3f(sum));\n    }\n  }\n  return sum;\n}\n\n", "N", strings.Repeat("i", n+1)))
	}
	b.WriteString(before + "    let y = r")
	return b.String()
}

func BenchmarkComplete(b *testing.B) {
	text := long(b)
	for b.Loop() {
		assist.Complete(text, len(text))
	}
}

func TestCompletesPrintComments(t *testing.T) {
	const before, after = "@group(0) @binding(0) var<storage> data: array<f32>;\nstruct P { width: u32 }\n" +
		"@compute @workgroup_size(1)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {\n    let index = id.x; ", "\n    let later = 1u;\n}\n"
	for comment, want := range map[string]string{
		"// print: in|":                "index",
		"// print: index, da|":         "data",
		"// print: max(index, in|":     "index",
		"// print: id.|":               "x",
		"// print if in|: index":       "index",
		"// print if index > 1u: ind|": "index",
		"// pr|":                       "print: ",
		"// print: in|dex, data[0]":    "index",
	} {
		found := complete(t, before+comment+after)
		require.NotEmpty(t, found.Items, comment)
		assert.Equal(t, want, found.Items[0].Text, comment)
		at := strings.Index(before+comment+after, "|")
		assert.LessOrEqual(t, found.Start, at, "the place is that of the text")
	}
	for _, comment := range []string{"// prin the in|", "// the in|", "// print: lat|", "// print| in"} {
		for _, item := range complete(t, before+comment+after).Items {
			assert.NotContains(t, []string{"index", "later"}, item.Text, comment)
		}
	}
}
