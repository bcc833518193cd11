package assist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// inspect inspects the last occurrence of a word in the shader of the tests with a line of its own.
func inspect(t *testing.T, line, word string) assist.Inspection {
	t.Helper()
	text := before + "    " + line + after
	at := strings.Index(text, line) + strings.LastIndex(line, word)
	require.GreaterOrEqual(t, at, strings.Index(text, line), "%s in %s", word, line)
	found, ok := assist.Inspect(text, at)
	require.True(t, ok, "%s in %s", word, line)
	return found
}

func TestInspect(t *testing.T) {
	for _, c := range []struct{ line, word, text string }{
		{"let y = row;", "row", `let row = id.x
type: u32
declared: on line 21
scope: function main, lines 19 to 25
memory layout: 4 bytes, aligned to 4
`},
		{"let y = width;", "width", `const width = 64u
type: u32
value: 64u
declared: on line 11
scope: the whole shader
memory layout: 4 bytes, aligned to 4
`},
		{"let y = params;", "params", `@group(0) @binding(0) var<uniform> params: Params
type: Params
memory: uniform, read
declared: on line 7
scope: the whole shader
memory layout: 8 bytes, aligned to 4
offset  size  align  member
     0     4      4  n: u32
     4     4      4  scale: f32
`},
		{"let y = params.scale;", "scale", `scale: f32
of: struct Params
place: byte 4 of 8
memory layout: 4 bytes, aligned to 4
`},
		{"let y = id.zy;", "zy", `zy // member
Components of a vector, chosen by letter.
type: vec2u
of: vec3u
WGSL § 8.5.1: https://www.w3.org/TR/WGSL/#vector-access-expr
`},
		{"let y = square(1);", "square", `fn square(x: f32) -> f32
The square of a number.
declared: on line 15
scope: the whole shader
`},
		{"let points: array<vec3f, 4> = array<vec3f, 4>();", "points", `let points: array<vec3f, 4> = array<vec3f, 4>()
type: array<vec3f, 4>
declared: on line 23
scope: function main, lines 19 to 25
memory layout: 64 bytes, aligned to 16, 16 bytes from one element to the next
`},
		{"workgroupBarrier();", "workgroupBarrier", `workgroupBarrier()
Waits for the whole workgroup; after it, every invocation sees what the others wrote to workgroup memory.
control flow: must be uniform: all invocations reach it, or none
WGSL § 17.11.3: https://www.w3.org/TR/WGSL/#workgroupBarrier-builtin
`},
		{"let y = Row();", "Row", `alias Row = vec4<f32>
type: vec4f
declared: on line 12
scope: the whole shader
memory layout: 16 bytes, aligned to 16
`},
		{"return;", "return", `return // keyword
Leaves the function, with its result if it has one.
WGSL § 9.4.10: https://www.w3.org/TR/WGSL/#return-statement
`},
		{"let y = floor(sum, ", "sum", `var sum = 0.0
type: f32
memory: function, read_write
declared: on line 22
scope: function main, lines 19 to 25
memory layout: 4 bytes, aligned to 4
`},
	} {
		found := inspect(t, c.line, c.word)
		assert.Equal(t, c.word, found.Name)
		assert.Equal(t, c.text, found.Text(), c.line)
	}
}

func TestInspectWordsOfWGSL(t *testing.T) {
	for _, c := range []struct{ text, word, has string }{
		{before, "global_invocation_id", "used as: compute input, vec3u"},
		{before, "workgroup_size", "§ 12.15"},
		{before, "compute", "entry point of a compute shader"},
		{before, "storage", "storage // address space\n"},
		{before, "read_write", "§ 14.2"},
		{before, "vec4", "e1: T, e2: T, e3: T, e4: T"},
		{before, "vec3u", "12 bytes, aligned to 16"},
		{before, "array", "§ 6.2.9"},
		{"enable f16;", "f16", "§ 4.1.1"},
		{"diagnostic(off, derivative_uniformity);", "derivative_uniformity", "§ 2.3.2"},
		{"diagnostic(off, derivative_uniformity);", "off", "not reported"},
		{"fn f() { for (var i = 0; i < 4; i++) { } }", "for", "§ 9.4.4"},
		{"@fragment fn f(@location(0) @interpolate(flat, either) a: f32) {}", "either", "§ 13.3.1.4"},
		{"@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;", "rgba8unorm", "read as f32"},
		{"@group(0) @binding(0) var t: texture_2d<f32>; fn f() { _ = textureLoad(t, vec2u(), 0); }", "textureLoad", "more"},
	} {
		found, ok := assist.Inspect(c.text, strings.LastIndex(c.text, c.word)+1)
		require.True(t, ok, c.word)
		assert.Contains(t, found.Text(), c.has, c.word)
		assert.Contains(t, found.Markdown(), "https://www.w3.org/TR/WGSL/#", c.word)
	}
}

// Each word of WGSL has a section, whatever would have to be around it in a shader.
func TestWord(t *testing.T) {
	for word, section := range map[string]string{
		"workgroupBarrier": "17.11.3", "if": "9.4.1", "array": "6.2.9", "vec3u": "6.2.6", "@workgroup_size": "12.15", "workgroup_size": "12.15",
		"global_invocation_id": "13.3.1.1.4", "read_write": "14.2", "workgroup": "14.3", "f16": "6.2.4", "rgba8unorm": "6.6.1", "+": "8.7", "~": "8.9",
	} {
		found, ok := assist.Word(word)
		assert.True(t, ok, word)
		assert.Equal(t, word, found.Name)
		assert.Equal(t, section, found.Section, word)
		assert.Contains(t, found.Link, "https://www.w3.org/TR/WGSL/#", word)
	}
	for _, word := range []string{"", "@", "barrier", "bind group", "fn f() {}", "x", "*/"} {
		_, ok := assist.Word(word)
		assert.False(t, ok, word)
	}
}

// In the parentheses of a call, Inspect describes the function: that is how Shift-Tab is used.
func TestInspectACall(t *testing.T) {
	for _, text := range []string{"fn f() { let x = dot(|", "fn f() { let x = dot( |vec2f(), vec2f()); }", "fn f() { let x = dot(vec2f(), | vec2f()); }"} {
		at := strings.Index(text, "|")
		found, ok := assist.Inspect(text[:at]+text[at+1:], at)
		if text[at+1:] != "" && text[at+1] == 'v' {
			assert.Equal(t, "vec2f", found.Name, "the cursor touches it")
			continue
		}
		require.True(t, ok, text)
		assert.Equal(t, "dot", found.Name)
		assert.Equal(t, assist.BuiltinFunction, found.Kind)
	}
}

func TestNothingToInspect(t *testing.T) {
	for _, text := range []string{"", "|", "fn f() { | }", "// let| it be", "const a = 12|;", "fn f() { let x = nothing|; }", "fn f() { nothing.x| }"} {
		at := max(0, strings.Index(text, "|"))
		_, ok := assist.Inspect(strings.Replace(text, "|", "", 1), at)
		assert.False(t, ok, text)
	}
}

// Markdown shows text as it is: stars, brackets and underscores have no effect.
func TestMarkdown(t *testing.T) {
	found := inspect(t, "let y = params;", "params")
	assert.Equal(t, "```wgsl\n@group(0) @binding(0) var<uniform> params: Params\n```\n\n"+
		"- type: Params\n- memory: uniform, read\n- declared: on line 7\n- scope: the whole shader\n- memory layout: 8 bytes, aligned to 4\n"+
		"\n| offset | size | align | member |\n|--:|--:|--:|:--|\n| 0 | 4 | 4 | `n: u32` |\n| 4 | 4 | 4 | `scale: f32` |\n", found.Markdown())
	assert.Contains(t, inspect(t, "let y = tile;", "tile").Markdown(), `- memory: workgroup, read\_write`)
	assert.Contains(t, inspect(t, "let y = tile;", "tile").Markdown(), "array&lt;f32, 64&gt;")
}
