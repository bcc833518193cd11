package prints_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

const shader = `// 𝄞
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> count: atomic<u32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x; // HERE
    data[i] = f32(i
        + 1u); // HERE
    // HERE
}
`

// with returns the shader with a comment in one of the places.
func with(comment string, place int) string {
	parts := strings.SplitAfter(shader, "// HERE")
	parts[place] = strings.Replace(parts[place], "// HERE", comment, 1)
	return strings.Join(parts, "")
}

func comments(text string) []prints.Print {
	file, _ := syntax.Parse(syntax.NewSource("", text))
	return prints.Of(file)
}

func TestComments(t *testing.T) {
	for comment, want := range map[string]struct {
		condition string
		values    []string
	}{
		"// print: i":        {"", []string{"i"}},
		"//print:i, data[i]": {"", []string{"i", "data[i]"}},
		"// print if i == 3u: vec2u(i, 1u), max(i, 2u)": {"i == 3u", []string{"vec2u(i, 1u)", "max(i, 2u)"}},
		"// print: array<u32, 2>(i, i)[1], i":           {"", []string{"array<u32, 2>(i, i)[1]", "i"}},
		"// print: i < 3u, i":                           {"", []string{"i < 3u", "i"}},
		"// print:":                                     {"", nil},
	} {
		text := with(comment, 0)
		found := comments(text)
		require.Len(t, found, 1, comment)
		assert.Equal(t, 6, found[0].Line)
		assert.Equal(t, want.condition, found[0].Condition.Text)
		var values []string
		for _, v := range found[0].Values {
			values = append(values, v.Text)
			assert.Equal(t, v.Text, text[v.Span.Start:v.Span.End], "its place")
		}
		assert.Equal(t, want.values, values, comment)
	}
	for _, other := range []string{"// print the sum", "// printer: i", "/* print: i */", "// don't print: i", "// print iffy: i"} {
		assert.Empty(t, comments(with(other, 0)), other)
	}
}

// A marked shader means the same, and every place in it stays.
func TestMarked(t *testing.T) {
	text := with("// print: i", 0)
	marked := prints.Marked(text, comments(text)...)
	assert.Len(t, marked, len(text))
	assert.Contains(t, marked, "let i = id.x; ;//print: i\n")
	assert.True(t, wgsl.Read("", marked, types.Options{}).Valid())
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		comment string
		place   int
		want    string // empty where nothing is wrong
	}{
		{"// print: i, data[i], id.x * 2u, vec2f(data[0])", 0, ""},
		{"// print if i == 3u && data[i] > 1.0: i", 2, ""},
		{"// print: count", 2, ""},
		{"// print:", 0, "names nothing to print"},
		{"// print: j", 0, "`j` is not declared"},
		{"// print: i +", 0, "There is no value to print for `i +`"},
		{"// print: data", 0, "There is no value to print for `data`"},
		{"// print if i: i", 0, "must be a bool"},
		{"// print: i", 1, ""},
	} {
		read := wgsl.Read("", with(c.comment, c.place), types.Options{})
		require.True(t, read.Valid())
		found := prints.Check(read.Info)
		if c.want == "" {
			assert.Empty(t, found, c.comment)
			continue
		}
		require.Len(t, found, 1, c.comment)
		assert.Contains(t, found[0].Message, c.want)
		assert.False(t, found[0].IsError(), "a comment makes no shader wrong")
		assert.Positive(t, found[0].Line)
	}
}

func TestCheckOfPlaces(t *testing.T) {
	for _, text := range []string{
		"// print: 1\n" + shader,
		strings.Replace(shader, "f32(i\n", "f32(i // print: i\n", 1),
	} {
		read := wgsl.Read("", text, types.Options{})
		require.True(t, read.Valid())
		found := prints.Check(read.Info)
		require.Len(t, found, 1)
		assert.Contains(t, found[0].Message, "No statement can be here")
	}
}
