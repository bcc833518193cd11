package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Every edit changes the text, and no two give the same one.
func TestEditsAreUnique(t *testing.T) {
	for _, e := range course.All() {
		reference, err := e.Reference()
		require.NoError(t, err)
		seen := map[string]bool{reference.Text: true}
		for _, x := range edit.All(reference.Shader()) {
			require.False(t, seen[x.Text], "%s: %s %q instead of %q", e.ID, x.Kind, x.To, x.Was)
			seen[x.Text] = true
		}
	}
}

// A constant may be any number: 0, the largest, one without a type, one that nothing uses.
func TestEditsOfAnyConstant(t *testing.T) {
	for _, number := range []string{"0u", "0", "0i", "-0", "0x0u", "1u", "-1", "2147483647", "4294967295u", "9223372036854775807", "-2147483648", "0.0", "true"} {
		text := fmt.Sprintf("const LEFT = %s;\n@compute @workgroup_size(1) fn main() { _ = LEFT; }\n", number)
		read := wgsl.Read("", text, types.Options{})
		require.True(t, read.Valid(), number)
		for _, x := range edit.All(read) {
			require.NotEqual(t, text, x.Text, number)
		}
	}
}

// Loops that compare in different ways have their edits in the same order each time.
func TestEditsAreInOrder(t *testing.T) {
	s := wgsl.Read("", `
@compute @workgroup_size(1) fn main() {
  for (var i = 0; i < 4; i++) {} for (var i = 0; i < 5; i++) {}
  for (var i = 4; i > 0; i--) {} for (var i = 5; i > 0; i--) {}
  for (var i = 4; i != 0; i--) {} for (var i = 5; i != 0; i--) {}
}`, types.Options{})
	require.True(t, s.Valid())
	for range 20 {
		requireSound(t, s)
	}
}

// BenchmarkDeep lists the edits of a deep expression, whose literals all have the same text.
func BenchmarkDeep(b *testing.B) {
	for _, deep := range []int{100, 200} {
		text := "@compute @workgroup_size(1) fn main() { _ = " + strings.Repeat("(", deep) + "1" +
			strings.Repeat(" + 1)", deep) + "; }"
		s := wgsl.Read("", text, types.Options{})
		require.True(b, s.Valid())
		b.Run(fmt.Sprint(deep), func(b *testing.B) {
			for b.Loop() {
				edit.All(s)
			}
		})
	}
}

// What is written as in another wrong shader is found under other names, twice as well. It isn't
// found where a right shader is written like that.
func TestCounterparts(t *testing.T) {
	const around = "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n" +
		"@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) %[1]s: vec3<u32>) {\n%[2]s\n}\n"
	read := func(id, body string) *wgsl.Shader {
		s := wgsl.Read("", fmt.Sprintf(around, id, body), types.Options{})
		require.True(t, s.Valid(), body)
		return s
	}
	right := read("id", "let start = 4u * id.x + 1u;\ndata[start] = max(data[start], 0.5);")
	for _, c := range []struct{ name, wrong, own, part string }{
		{"another name", "let start = 4u * id.x + 1u;\ndata[start] = min(data[start], 0.5);", "let a = 4u * at.x + 1u;\nif (at.y == 0u) {\ndata[a] = min(data[a], 0.5);\n}", "min"},
		{"something is missing", "let start = 4u * id.x;\ndata[start] = max(data[start], 0.5);", "var a = 4u * at.x;\ndata[a] = max(data[a], 0.5);", "x"},
		{"twice", "let start = 4u * id.x + 1u;\ndata[start] = min(data[start], 0.5);", "let a = 4u * at.x + 1u;\ndata[a] = min(data[a], 0.5);\ndata[a] = min(data[a], 0.5);", "min"},
		{"as in a right one", "let start = 4u * id.x + 1u;\ndata[start] = min(data[start], 0.5);", "let a = 3u * at.x + 1u;\ndata[a] = max(data[a], 0.5);", ""},
		{"written in another way", "let start = 4u * id.x + 1u;\ndata[start] = min(data[start], 0.5);", "if (data[at.x] > 0.5) {\ndata[at.x] = 0.5;\n}", ""},
	} {
		own := read("at", c.own)
		var parts []string
		for _, found := range edit.Counterparts(own, read("id", c.wrong), []*wgsl.Shader{right}) {
			parts = append(parts, own.Source.Slice(found.Span))
		}
		require.Equal(t, c.part, strings.Join(parts, ", "), c.name)
	}
}

// A part of a right shader fits into one with other names and other order of its buffers.
func TestGrafts(t *testing.T) {
	const right = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= arrayLength(&out)) { return; }
  var sum = 0.0;
  for (var k = 0u; k < 4u; k++) { sum += x[4u * i + k]; }
  out[i] = sum / 4.0;
}`
	named := strings.NewReplacer("id: v", "place: v", "id.x", "place.x", "x: a", "values: a", "x[", "values[", "out", "means", "sum", "total", "k ", "step ", "k+", "step+", "k]", "step]").Replace(right)
	for _, c := range []struct{ name, from, to, span string }{
		{"a number", "total / 4.0", "total / 3.0", "3.0"},
		{"an index", "4u * i + step", "i + step", "[i"},
		{"a missing guard", "  if (i >= arrayLength(&means)) { return; }\n", "", ""},
		{"a missing factor", "total / 4.0", "total", "total;"},
		{"a bound", "step < 4u", "step <= 4u", "<="},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, named, c.from)
			wrong := wgsl.Read("", strings.Replace(named, c.from, c.to, 1), types.Options{})
			require.True(t, wrong.Valid())
			grafts := edit.Grafts(wrong, wgsl.Read("", right, types.Options{}))
			require.NotEmpty(t, grafts)
			require.Equal(t, strings.Join(strings.Fields(named), ""), strings.Join(strings.Fields(grafts[0].Text), ""))
			require.Equal(t, c.span, wrong.Source.Slice(grafts[0].Span))
			require.Equal(t, edit.Slip, grafts[0].Cost)
		})
	}
}
