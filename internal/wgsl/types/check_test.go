package types_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// check parses and checks a shader with every feature; the parser must accept it.
func check(t testing.TB, text string) (*types.Info, []*findings.Finding) {
	t.Helper()
	return checkWith(t, text, types.AllFeatures)
}

func checkWith(t testing.TB, text string, features types.Features) (*types.Info, []*findings.Finding) {
	t.Helper()
	file, diagnostics := syntax.Parse(syntax.NewSource("test", text))
	require.Empty(t, texts(diagnostics), text)
	return types.Check(file, types.Options{Features: features})
}

// accept checks a shader without mistakes.
func accept(t testing.TB, text string) *types.Info {
	t.Helper()
	info, diagnostics := check(t, text)
	require.Empty(t, texts(diagnostics), text)
	return info
}

func texts(diagnostics []*findings.Finding) []string {
	var list []string
	for _, d := range diagnostics {
		list = append(list, string(d.Kind)+": "+d.String())
	}
	return list
}

func TestEveryRightShaderIsAccepted(t *testing.T) {
	count := 0
	accept := func(path string, text []byte, err error) {
		require.NoError(t, err)
		file, diagnostics := syntax.Parse(syntax.NewSource(path, string(text)))
		_, more := types.Check(file, types.Options{Features: types.UsualFeatures | types.AllExtensions | types.FeatureSubgroupID})
		assert.Empty(t, texts(append(diagnostics, more...)), path)
		count++
	}
	paths, err := filepath.Glob("../../../shaders/*/*.wgsl")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		accept(path, text, err)
	}
	for _, pattern := range []string{"*/*.wgsl", "*/right/*.wgsl"} {
		paths, err := exercises.Files.Glob(pattern)
		require.NoError(t, err)
		for _, path := range paths {
			text, err := exercises.Files.ReadFile(path)
			accept(path, text, err)
		}
	}
	assert.Greater(t, count, 600, "shaders of the product, and the references, skeletons and right shaders of the exercises")
}

func TestInfo(t *testing.T) {
	text, err := os.ReadFile("../../../exercises/matmul-tiled/reference.wgsl")
	require.NoError(t, err)
	info := accept(t, string(text))

	require.Len(t, info.EntryPoints, 1)
	main := info.Entry("main")
	require.Same(t, info.EntryPoints[0], main)
	assert.Equal(t, types.ComputeStage, main.Stage)
	assert.Equal(t, uint32(16), main.WorkgroupSize[0].Value)
	assert.Equal(t, uint32(16), main.WorkgroupSize[1].Value)
	assert.Equal(t, uint32(1), main.WorkgroupSize[2].Value)
	assert.Nil(t, main.WorkgroupSize[2].Expr)

	var bindings, workgroup, functions []string
	for i, o := range main.Resources {
		assert.Equal(t, uint32(0), *o.Group)
		assert.Equal(t, uint32(i), *o.Binding)
		bindings = append(bindings, o.Name+" "+o.Space().String()+" "+o.Access().String()+" "+o.Store().String())
	}
	for _, o := range main.Workgroup {
		workgroup = append(workgroup, o.Name+" "+o.Store().String())
	}
	for _, f := range main.Functions {
		functions = append(functions, f.Object.Name)
	}
	assert.Equal(t, []string{
		"dims uniform read Dims", "a storage read array<f32>", "b storage read array<f32>",
		"out storage read_write array<f32>",
	}, bindings)
	assert.Equal(t, []string{"a_tile array<array<f32, 16>, 16>", "b_tile array<array<f32, 16>, 16>"}, workgroup)
	assert.Equal(t, "main", functions[len(functions)-1], "callees come first")
	assert.ElementsMatch(t, []string{"a_at", "b_at", "main"}, functions)
	require.Len(t, main.Inputs, 2)
	assert.Equal(t, "global_invocation_id", main.Inputs[0].Builtin)
	assert.Equal(t, "vec3u", main.Inputs[0].Type.String())
}

func TestConversionsAreNoted(t *testing.T) {
	info := accept(t, `
const N = 4;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
fn f(i: u32) { if i < N { out[i] = out[0] + 1; } }`)
	found := map[string]string{}
	for x, e := range info.Exprs {
		if e.As != nil {
			found[info.File.Source.Slice(x.Span())] = e.Type.String() + " as " + e.As.String() + " " + e.Value.String()
		}
	}
	assert.Equal(t, map[string]string{
		"N":      "abstract-int as u32 4u",
		"out[0]": "ref<storage, f32, read_write> as f32 unknown",
		"1":      "abstract-int as f32 1.0",
		"0":      "abstract-int as i32 0",
	}, found)
}

func TestScopes(t *testing.T) {
	text := `
const one = 1;
fn f(a: i32) {
  let b = a;
  for (var i = 0; i < 3; i++) {
    let one = i; // here
  }
  let c = b;
}`
	info := accept(t, text)
	var names []string
	for _, o := range info.InScope(int32(strings.Index(text, "// here"))) {
		names = append(names, o.Name+" "+o.Kind.String())
	}
	assert.Equal(t, []string{"one let", "i var", "b let", "a parameter", "f function"}, names)
}

func TestShadowing(t *testing.T) {
	accept(t, `
alias f32 = i32;
fn min(a: f32) -> f32 { return a; }
const read = 3;
var<private> storage: array<f32, read>;
fn f() { let max = min(2); var i32 = max; i32 = storage[0]; }`)
}

func TestOverloadsByConversionRank(t *testing.T) {
	info := accept(t, `
enable f16;
fn f(u: u32, h: f16, v: vec3f) {
  let a1 = max(1, 2.5);
  let a2 = max(u, 2);
  let a3 = h * 2;
  let a4 = v * 2;
  let a5 = 1 << u;
  let a6 = select(1, 2.0, u == 1);
  let a7 = ldexp(h, 2);
  let a8 = bitcast<f32>(1);
  let a9 = frexp(1.5);
}`)
	got := map[string]string{}
	for _, o := range info.Defs {
		if o.Kind == types.LetObject {
			got[o.Name] = o.Type.String()
		}
	}
	assert.Equal(t, map[string]string{
		"a1": "f32", "a2": "u32", "a3": "f16", "a4": "vec3f", "a5": "i32", "a6": "f32", "a7": "f16", "a8": "f32",
		"a9": "__frexp_result_f32",
	}, got)
}

func TestFeaturesAreAskedFor(t *testing.T) {
	for _, c := range []struct {
		text    string
		feature types.Feature
	}{
		{"enable f16;\nfn f(h: f16) {}", types.FeatureF16},
		{"enable subgroups;\nfn f(a: f32) -> f32 { return subgroupAdd(a); }", types.FeatureSubgroups},
		{"fn f(p: ptr<function, vec2f>) -> f32 { return p.x; }", types.FeaturePointerCompositeAccess},
		{"fn f(p: ptr<storage, f32>) {}", types.FeatureUnrestrictedPointers},
		{"fn f() { _ = pack4xU8(vec4u()); }", types.FeaturePackedDotProduct},
		{"@group(0) @binding(0) var t: texture_storage_2d<r32float, read>;", types.FeatureStorageTextures},
		{"@group(0) @binding(0) var t: texture_storage_2d<r8unorm, write>;", types.FeatureTextureFormatsTier1},
		{"@group(0) @binding(0) var<uniform> u: array<f32, 4>;", types.FeatureUniformStandardLayout},
		{"var<immediate> i: vec4f;", types.FeatureImmediates},
		{"fn f() { var v: vec3f; v.xy = vec2f(); }", types.FeatureSwizzleAssignment},
		{"var<workgroup> b: buffer<8>;\nfn f() -> u32 { return *bufferView<u32>(&b, 4); }", types.FeatureBufferView},
	} {
		_, with := checkWith(t, c.text, c.feature)
		assert.Empty(t, texts(with), c.text)
		_, without := checkWith(t, c.text, 0)
		assert.NotEmpty(t, without, c.text)
	}
}

// A view's type, place and size are checked as far as they are known, and so are the sizes of
// buffers (§ Buffer Types, § Buffer View Built-in Functions).
func TestViewsOfBuffers(t *testing.T) {
	const head = "override o = 12u;\noverride big = 32u;\nstruct S { a: vec4u, b: array<vec2f> }\nstruct A { a: atomic<u32> }\n" +
		"@group(0) @binding(0) var<storage> r: buffer;\n@group(0) @binding(1) var<storage, read_write> s: buffer<32>;\n" +
		"@group(0) @binding(2) var<uniform> u: buffer<32>;\nvar<workgroup> w: buffer<32>;\nvar<workgroup> wo: buffer<big>;\n" +
		"fn any(p: ptr<storage, buffer>) {}\nfn less(p: ptr<storage, buffer<16>, read_write>) {}\nfn more(p: ptr<workgroup, buffer<64>>) {}\nfn list(p: ptr<workgroup, array<u32>>) {}\n"
	for text, want := range map[string]string{
		"let p: ptr<storage, u32> = bufferView<u32>(&r, 0);":                  "",
		"let p: ptr<workgroup, vec4h> = bufferView<vec4h>(&w, 8u);":           "extension-not-enabled extension-not-enabled",
		"let p = bufferView<array<u32>>(&u, i32(o)); let n = arrayLength(p);": "",
		"*bufferView<vec4u>(&s, 16) = vec4u(1);":                              "",
		"bufferView<vec4u>(&s, 16).zxy = vec3u(1);":                           "",
		"(*bufferView<array<u32, 8>>(&w, 0))[o] += 1;":                        "",
		"*bufferView<vec4u>(&r, 0) = vec4u(1);":                               "read-only",
		"*bufferView<u32>(&u, 0) = 1;":                                        "read-only",
		"bufferView<u32>(&s, 0);":                                             "unused-result",
		"let p = bufferView<u32>(s, 0);":                                      "address-needed",
		"let p = bufferView<u32>(&s, 0.5);":                                   "bad-arguments",
		"let p = bufferView<u32>(&s, vec2u(0));":                              "bad-arguments",
		"let p = bufferView(&s, 0);":                                          "missing-template",
		"let p = bufferView<bool>(&s, 0);":                                    "bad-view",
		"let p = bufferView<A>(&s, 0);":                                       "bad-view",
		"let p = bufferView<buffer<4>>(&s, 0);":                               "bad-view",
		"let p = bufferView<u32>(&s, -4);":                                    "bad-view",
		"let p = bufferView<u32>(&s, 2);":                                     "bad-view",
		"let p = bufferView<vec4u>(&s, 20);":                                  "bad-view",
		"let p = bufferView<vec4u>(&s, 32);":                                  "bad-view",
		"let p = bufferView<array<vec4u, 3>>(&w, o);":                         "bad-view",
		"let p = bufferView<vec4u>(&r, 4000);":                                "",
		"let p = bufferArrayView<u32>(&s, 0, 4);":                             "bad-view",
		"let p = bufferArrayView<array<u32>>(&s, 0, 2);":                      "bad-view",
		"let p = bufferArrayView<array<vec2u>>(&s, 8, 12);":                   "bad-view",
		"let p = bufferArrayView<array<vec2u>>(&s, 8, 16);":                   "",
		"let p = bufferArrayView<array<vec2u>>(&s, 24, 16);":                  "bad-view",
		"let p = bufferArrayView<S>(&r, 16, 16);":                             "bad-view",
		"let p = bufferArrayView<S>(&r, 16, 40); let n = arrayLength(&p.b);":  "",
		"any(&r); less(&s);":                                                  "",
		"list(bufferView<array<u32>>(&w, 0));":                                "",
		"less(&r);":                                                           "type-mismatch",
		"more(&w);":                                                           "type-mismatch",
		"let p: ptr<storage, buffer, read_write> = &s;":                       "type-mismatch",
		"let b = s;":        "unsized-value",
		"var b: buffer<4>;": "bad-store-type",
		"let n: u32 = bufferLength(&s) + bufferLength(&r) + bufferLength(&wo);":                 "",
		"let n = bufferLength(bufferView<u32>(&s, 0));":                                         "bad-arguments",
		"} var<private> p: buffer<4>; fn g() {":                                                 "bad-store-type",
		"} var<workgroup> p: buffer; fn g() {":                                                  "bad-store-type",
		"} @group(1) @binding(0) var<uniform> p: buffer; fn g() {":                              "bad-store-type",
		"} @group(1) @binding(0) var<storage> p: buffer<big>; fn g() {":                         "bad-store-type",
		"} struct B { b: buffer<4> } fn g() {":                                                  "bad-element",
		"} alias B = array<buffer<4>, 2>; fn g() {":                                             "bad-element",
		"} alias B = buffer<6>; fn g() {":                                                       "buffer-size",
		"} alias B = buffer<0>; fn g() {":                                                       "buffer-size",
		"} alias B = buffer<1.5>; fn g() {":                                                     "array-length",
		"} alias B = buffer<4, 4>; fn g() {":                                                    "template-count",
		"} fn g(p: ptr<uniform, buffer>) { let q = bufferView<vec4u>(p, 16); } fn h() { g(&u);": "",
		"} fn g(p: ptr<uniform, buffer>) { let q = bufferView<vec4u>(p, 32); } fn h() { g(&u);": "bad-view",
		"} fn g(p: ptr<storage, buffer, read_write>) { let q = bufferView<vec4u>(p, 16); } fn k(p: ptr<storage, buffer<16>, read_write>) { g(p); } fn h() { k(&s);": "bad-view",
		"} fn g(p: ptr<storage, buffer>) { let q = bufferView<vec4u>(p, 64); } fn h() { g(&r);":                                                                     "",
		"let buffer = 1; let n = buffer + 1;": "",
		"} fn g(p: ptr<storage, buffer<32>, read_write>) { *bufferView<u32>(p, 0) = *bufferView<u32>(&s, 0); } fn h() { g(&s);": "",
	} {
		_, list := check(t, head+"fn f() { "+text+" }")
		var kinds []string
		for _, d := range list {
			kinds = append(kinds, string(d.Kind))
		}
		assert.Equal(t, want, strings.Join(kinds, " "), text)
	}
}

// The hostile shaders are short but expensive to check.
func TestHostileShadersEndSoon(t *testing.T) {
	nested := func(n int, first, rest string) string {
		var b strings.Builder
		b.WriteString(first)
		for i := 1; i < n; i++ {
			b.WriteString(strings.NewReplacer("$i", number(i), "$p", number(i-1)).Replace(rest))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"arrays of arrays of constants": nested(12, "const a0 = array(1, 2, 3);\n", "const a$i = array("+strings.TrimSuffix(strings.Repeat("a$p, ", 40), ", ")+");\n") + "fn f() { let x = a11; }",
		"a giant array of zeros":        "const a = array<array<f32, 65535>, 65535>();\nconst b = a[65534][65534];\nconst_assert b == 0;",
		"a giant type":                  nested(14, "alias a0 = array<f32, 65535>;\n", "alias a$i = array<a$p, 65535>;\n") + "var<private> v: a13;",
		"a chain of constants":          nested(20000, "const a0 = 1;\n", "const a$i = a$p + 1;\n"),
		"a chain back to front":         nested(20000, "const a0 = 1;\n", "const a$p = a$i;\n"),
		"a chain of structures":         nested(3000, "struct S0 { a: f32 }\n", "struct S$i { a: S$p }\n"),
		"a chain of calls":              nested(20000, "fn f0() {}\n", "fn f$i() { f$p(); }\n"),
		"many entry points":             nested(3000, "fn f0() {}\n", "fn f$i() { f$p(); }\n@compute @workgroup_size(1) fn e$i() { f$i(); }\n"),
		"many unknown names":            "fn f() {" + strings.Repeat("let a = unknown_name; ", 20000) + "}",
		"many names":                    nested(20000, "fn f() { let a0 = 1;\n", "let a$i = a$p;\n") + "}",
		"a wide switch":                 nested(16000, "fn f(x: i32) { switch x { default: {}\n", "case $i: {}\n") + "}}",
		"a long sum":                    "const a = 1" + strings.Repeat(" + 1", 900) + ";",
	} {
		t.Run(name, func(t *testing.T) {
			file, _ := syntax.Parse(syntax.NewSource("bomb", text))
			start := time.Now()
			types.Check(file, types.Options{Features: types.AllFeatures})
			assert.Less(t, time.Since(start), 3*time.Second)
		})
	}
}

func number(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return number(n/10) + string(rune('0'+n%10))
}

func TestChecksRunSideBySide(t *testing.T) {
	text, err := os.ReadFile("../../../exercises/softmax/reference.wgsl")
	require.NoError(t, err)
	file, _ := syntax.Parse(syntax.NewSource("softmax", string(text)))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, diagnostics := types.Check(file, types.Options{})
			assert.Empty(t, texts(diagnostics))
		})
	}
	group.Wait()
}

// TestPhonyAssignment checks that `_ = value` takes an abstract value that no concrete type holds,
// and still refuses what has no value and what a concrete operand converts (§ 9.2.2).
func TestPhonyAssignment(t *testing.T) {
	for _, value := range []string{
		"5000000000", "-(5000000000)", "huge", "1e300", "vec2(5000000000)", "vec3(1, 2.5, 1e300).x", "array(5000000000, 1)",
		"mat2x2(1e300, 1, 1, 1)", "modf(1e300)", "5000000000 >> 1", "select(1, 5000000000, true)", "n", "&n", "array(5, 1)[n]", "t",
	} {
		accept(t, "const huge = 5000000000;\n@group(0) @binding(0) var t: texture_2d<f32>;\nfn f() { var n = 1; _ = "+value+"; for (_ = "+value+"; false; _ = "+value+") {} }")
	}
	for value, code := range map[string]string{
		"n + 5000000000": "const-range", "array(5000000000, 1)[n]": "const-range", "select(1, 5000000000, n == 1)": "const-range",
		"9223372036854775807 + 1": "const-overflow", "f": "not-a-value", "i32": "not-a-value",
	} {
		_, diagnostics := check(t, "fn f() { var n = 1; _ = "+value+"; }")
		assert.Equal(t, []string{code}, codes(diagnostics), "%s: %v", value, texts(diagnostics))
	}
}

func TestPipeline(t *testing.T) {
	info := accept(t, `
@id(7) override width = 8u;
override height: u32;
override twice = width * 2;
override unused = 1 / (width - width);
var<workgroup> tile: array<f32, twice>;
@compute @workgroup_size(width, height) fn main() { tile[15] = f32(height); }`)
	main := info.Entry("main")
	assert.Len(t, main.Overrides, 3)

	_, diagnostics := info.Pipeline(main, nil)
	assert.Equal(t, []string{"missing-constant"}, codes(diagnostics), "height has no value")

	p, diagnostics := info.Pipeline(main, map[string]float64{"height": 4})
	require.Empty(t, texts(diagnostics))
	assert.Equal(t, [3]uint32{8, 4, 1}, p.WorkgroupSize)
	tile := main.Workgroup[0].Store().(*types.Array)
	assert.Equal(t, uint64(16), p.Count(tile))
	assert.Equal(t, uint64(64), p.SizeOf(tile))

	_, diagnostics = info.Pipeline(main, map[string]float64{"height": 4, "7": 2})
	assert.Equal(t, []string{"index-range"}, codes(diagnostics), "tile has 4 elements then")
	_, diagnostics = info.Pipeline(main, map[string]float64{"height": 0})
	assert.Equal(t, []string{"workgroup-size"}, codes(diagnostics))
	_, diagnostics = info.Pipeline(main, map[string]float64{"height": -1})
	assert.Equal(t, []string{"constant-value"}, codes(diagnostics))
	_, diagnostics = info.Pipeline(main, map[string]float64{"height": 4, "depth": 1})
	assert.Equal(t, []string{"unknown-constant"}, codes(diagnostics))
}

func codes(diagnostics []*findings.Finding) []string {
	var list []string
	for _, d := range diagnostics {
		list = append(list, string(d.Kind))
	}
	return list
}
