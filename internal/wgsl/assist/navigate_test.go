package assist_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

const text = `struct P { x: f32, y: u32 }
struct Q { x: f32, p: P }
@group(0) @binding(0) var<storage, read_write> data: array<P>;
override size: u32 = 4;
@id(3) override depth: u32 = 4;
const half = 0.5;

fn scaled(x: f32) -> f32 {
    let y = x * half;
    { let half = 2.0; _ = y + half; }
    return max(x, y);
}

@compute @workgroup_size(size)
fn main(@builtin(local_invocation_index) i: u32) {
    data[i].x = scaled(data[i].x);
    let q = Q(1.0, P(2.0, i));
    _ = q.x + q.p.x + f32(depth);
}
`

// at returns the offset of the nth occurrence of a text, from 1.
func at(t *testing.T, in, of string, nth int) int {
	t.Helper()
	offset := 0
	for range nth - 1 {
		i := strings.Index(in[offset:], of)
		require.GreaterOrEqual(t, i, 0)
		offset += i + len(of)
	}
	i := strings.Index(in[offset:], of)
	require.GreaterOrEqual(t, i, 0)
	return offset + i
}

// lines returns the lines of the mentions of the name at an offset.
func lines(d *assist.Document, text string, offset int) (found []int) {
	for _, m := range d.References(offset) {
		found = append(found, 1+strings.Count(text[:m.Span.Start], "\n"))
	}
	return found
}

func TestReferences(t *testing.T) {
	d := assist.Read("", text)
	require.Equal(t, []int{1, 16, 16, 18}, lines(d, text, at(t, text, "x: f32", 1)), "the member of P, and not that of Q")
	require.Equal(t, []int{2, 18}, lines(d, text, at(t, text, "x: f32", 2)), "the member of Q")
	require.Equal(t, []int{6, 9}, lines(d, text, at(t, text, "half", 1)), "the const, and not the let that hides it")
	require.Equal(t, []int{10, 10}, lines(d, text, at(t, text, "half", 4)))
	require.Equal(t, []int{8, 16}, lines(d, text, at(t, text, "scaled", 2)+len("scaled")), "with the cursor after the name")
	require.Empty(t, d.References(at(t, text, "max", 1)))
	span, ok := d.TypeDefinition(at(t, text, "data", 1))
	require.True(t, ok)
	require.Equal(t, "P", text[span.Start:span.End])
}

// A mistake hides nothing but itself.
func TestUnfinished(t *testing.T) {
	for _, broken := range []string{
		strings.Replace(text, "return max(x, y);", "return max(x, y", 1),
		strings.Replace(text, "let y = x * half;", "let y = x * half + nothing;", 1),
		strings.Replace(text, "return max(x, y);", "return max(x, true) + half;", 1),
		text + "\nfn more(a: f32) -> ",
	} {
		d := assist.Read("", broken)
		require.Subset(t, lines(d, broken, at(t, broken, "half", 1)), []int{6, 9}, broken)
		span, ok := d.Definition(at(t, broken, "scaled(data", 1))
		require.True(t, ok, broken)
		require.Equal(t, at(t, broken, "scaled", 1), int(span.Start))
		require.GreaterOrEqual(t, len(d.Symbols()), 8)
		require.NotEmpty(t, d.Folds())
	}
}

func TestRename(t *testing.T) {
	d := assist.Read("", text)
	edits, err := d.Rename(at(t, text, "half", 1), "fraction")
	require.NoError(t, err)
	renamed, err := findings.Apply(text, edits)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(strings.Replace(text, "const half", "const fraction", 1), "x * half", "x * fraction", 1), renamed)
	edits, err = d.Rename(at(t, text, "x: f32", 1), "y2")
	require.NoError(t, err)
	require.Len(t, edits, 4)
	_, err = d.Rename(at(t, text, "half", 1), "y")
	require.NoError(t, err, "the let of that name is in scope only after its value")
	_, err = d.Rename(at(t, text, "depth", 1), "levels")
	require.NoError(t, err, "an @id names it for the host")
}

func TestRenameRefuses(t *testing.T) {
	for _, c := range []struct{ of, name, why string }{
		{"half", "x", "Line 8 already declares `x`"},        // the parameter hides it where it is used
		{"y = x", "half", "Line 6 already declares `half`"}, // the use in the block means the inner let
		{"x: f32, y", "y", "Line 1 already declares `y`"},
		{"scaled", "max", "uses `max` of WGSL"},
		{"scaled", "main", "Line 15 already declares `main`"},
		{"scaled", "fn", "can't be a name"},
		{"scaled", "std", "can't be a name"},
		{"scaled", "__a", "can't be a name"},
		{"scaled", "a b", "can't be a name"},
		{"scaled", "a: u32", "isn't a name"},
		{"scaled", "", "can't be a name"},
		{"main", "start", "A host program starts the entry point"},
		{"size: u32", "length", "A host program sets the override"},
		{"max", "most", "a part of WGSL"},
		{"return", "back", "a keyword"},
		{" * ", "a", "no name here"},
	} {
		offset := at(t, text, c.of, 1)
		if c.of == "half" || c.of == " * " {
			offset++
		}
		_, err := assist.Read("", text).Rename(offset, c.name)
		require.ErrorContains(t, err, c.why, "%s to %s", c.of, c.name)
	}
	broken := text + "fn f() { let a = ; }"
	_, err := assist.Read("", broken).Rename(at(t, broken, "half", 1), "fraction")
	require.ErrorContains(t, err, "Line 20 has a syntax error")
	unknown := text + "fn f() { let a = nothing; _ = a.x; }"
	_, err = assist.Read("", unknown).Rename(at(t, unknown, "x: f32", 1), "first")
	require.ErrorContains(t, err, "On line 20 the type before `.x` is unknown")
}

// Renaming a name there and back gives the text again, for every name of the reference shaders.
func TestRenameThereAndBack(t *testing.T) {
	files, err := filepath.Glob("../../../exercises/*/reference.wgsl")
	require.NoError(t, err)
	renamed := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		source := string(data)
		d := assist.Read("", source)
		for _, span := range syntax.Tokens(syntax.NewSource("", source)) {
			name := source[span.Start:span.End]
			if _, err := d.Renameable(int(span.Start)); err != nil || d.References(int(span.Start))[0].Span != span {
				continue // not a name of the shader, or not the declaration
			}
			edits, err := d.Rename(int(span.Start), "another_name")
			require.NoError(t, err)
			there, err := findings.Apply(source, edits)
			require.NoError(t, err)
			edits, err = assist.Read("", there).Rename(strings.Index(there, "another_name"), name)
			require.NoError(t, err, file)
			back, err := findings.Apply(there, edits)
			require.NoError(t, err)
			require.Equal(t, source, back)
			renamed++
		}
	}
	require.Greater(t, renamed, 200)
}

func TestStructure(t *testing.T) {
	d := assist.Read("", text)
	var names []string
	for _, s := range d.Symbols() {
		names = append(names, s.Name+" "+s.Kind.String())
	}
	require.Equal(t, []string{"P struct", "Q struct", "data variable", "size constant", "depth constant", "half constant", "scaled function", "main function"}, names)
	require.Equal(t, []assist.FoldingRange{{First: 8, Last: 11}, {First: 15, Last: 18}}, d.Folds())
	var selected []string
	for _, s := range d.Enclosing(at(t, text, "half;", 1)) {
		selected = append(selected, text[s.Start:s.End])
	}
	require.Equal(t, []string{"half", "x * half", "let y = x * half", "let y = x * half;"}, selected[:4])
	require.Equal(t, text, selected[len(selected)-1])

	var hints []string
	for _, h := range d.Hints(syntax.Span{End: int32(len(text))}) {
		hints = append(hints, h.Text)
	}
	require.Equal(t, []string{"byte 0", "byte 4", "byte 0", "byte 4", ": f32", ": f32", ": Q"}, hints)

	callers := d.Callers(at(t, text, "scaled", 1))
	require.Len(t, callers, 1)
	require.Equal(t, "main", callers[0].Function.Name)
	require.Equal(t, "scaled", d.Callees(at(t, text, "main", 1))[0].Function.Name)
	require.Empty(t, d.Callees(at(t, text, "scaled", 1)))

	classes := map[string]assist.SemanticToken{}
	for _, token := range d.Tokens() {
		classes[text[token.Span.Start:token.Span.End]] = token // the last one counts
	}
	require.Equal(t, assist.KeywordClass, classes["let"].Class)
	require.Equal(t, assist.WordClass, classes["local_invocation_index"].Class)
	require.Equal(t, assist.AttributeClass, classes["@"].Class)
	require.Equal(t, assist.NumberClass, classes["0.5"].Class)
	require.True(t, classes["max"].Builtin)
	require.True(t, classes["i"].Constant)
	require.Equal(t, assist.ParameterClass, classes["i"].Class)
	require.Equal(t, assist.TypeClass, classes["f32"].Class)
	require.Equal(t, assist.OperatorClass, classes["+"].Class)
}
