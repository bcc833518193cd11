package expand

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// spanOf returns where a part of a text is.
func spanOf(t *testing.T, text, part string) syntax.Span {
	t.Helper()
	at := strings.Index(text, part)
	require.NotEqual(t, -1, at, part)
	return syntax.Span{Start: int32(at), End: int32(at + len(part))}
}

func whole(s *syntax.Source) syntax.Span { return syntax.Span{End: int32(len(s.Text))} }

// included returns a text of two files, one of which includes the other and uses a macro.
func included(t *testing.T) (main, s *syntax.Source) {
	main = syntax.NewSource("main.wgsl", "#include \"part.wgsl\"\nconst é = TWICE(y);\nconst z = 1;\n")
	part := syntax.NewSource("part.wgsl", "\nconst y = 2;\n")
	use, argument := spanOf(t, main.Text, "TWICE(y)"), spanOf(t, main.Text, "y);")
	argument.End = argument.Start + 1
	b := New(main)
	b.Copy(part, whole(part))
	b.Copy(main, spanOf(t, main.Text, "\nconst é = "))
	b.Write("(", main, use)
	b.Copy(main, argument)
	b.Write(" + ", main, use)
	b.Copy(main, argument)
	b.Write(")", main, use)
	b.Copy(main, syntax.Span{Start: use.End, End: int32(len(main.Text))})
	return main, b.Source()
}

func TestPlacesAreThoseOfTheFiles(t *testing.T) {
	main, s := included(t)
	require.Equal(t, "\nconst y = 2;\n\nconst é = (y + y);\nconst z = 1;\n", s.Text)
	for part, want := range map[string]findings.Region{
		"y = 2":         {File: "part.wgsl", Line: 2, Column: 7, EndLine: 2, EndColumn: 12},
		"é":             {Line: 2, Column: 7, EndLine: 2, EndColumn: 8},
		"y + y":         {Line: 2, Column: 17, EndLine: 2, EndColumn: 18},
		" + ":           {Line: 2, Column: 11, EndLine: 2, EndColumn: 19},
		"(y + y)":       {Line: 2, Column: 11, EndLine: 2, EndColumn: 19},
		"é = (y + y)":   {Line: 2, Column: 7, EndLine: 2, EndColumn: 19},
		"z":             {Line: 3, Column: 7, EndLine: 3, EndColumn: 8},
		"2;\n\nconst é": {File: "part.wgsl", Line: 2, Column: 11, EndLine: 3, EndColumn: 1},
	} {
		got := s.Region(spanOf(t, s.Text, part))
		require.Equal(t, want, got, part)
		require.Equal(t, strings.Split(s.File(want.File).Text, "\n")[want.Line-1], s.WrittenLine(got), part)
	}
	at := spanOf(t, s.Text, "z = 1")
	require.Equal(t, syntax.Position{Line: 3, Column: 7, UTF16: 7}, s.Position(at.Start))
	require.Equal(t, syntax.Position{Line: 3, Column: 12, UTF16: 12}, s.Range(at).End)
	require.Equal(t, 4, s.Position(int32(len(s.Text))).Line)
	require.Same(t, main, s.File(""))
	require.Equal(t, "part.wgsl:2:7: error: wrong [x]", s.Format(findings.Errorf("x", spanOf(t, s.Text, "y = 2"), "wrong")))
}

// A fix may change only text that somebody wrote in the file of its finding.
func TestFixesChangeOnlyWrittenText(t *testing.T) {
	_, s := included(t)
	for part, kept := range map[string]bool{"z": true, "é": true, "y = 2": false, " + ": false, "(y + y)": false} {
		f := findings.Errorf("x", spanOf(t, s.Text, "z"), "wrong").Replace(spanOf(t, s.Text, part), "w", "write w")
		s.Locate(f)
		require.Len(t, f.Fixes, map[bool]int{true: 1}[kept], part)
	}
}

// A file that is itself an expanded text leads on to its own files.
func TestPlacesGoThroughEachStep(t *testing.T) {
	main, s := included(t)
	b := New(s)
	b.Copy(s, whole(s))
	require.Same(t, s, b.Source(), "the same text needs no table")

	b = New(s)
	for _, part := range []string{"z = 1", "y = 2", "é = (y"} {
		b.Copy(s, spanOf(t, s.Text, part))
		b.Write(" ", s, spanOf(t, s.Text, "const z"))
	}
	again := b.Source()
	require.Equal(t, "z = 1 y = 2 é = (y ", again.Text)
	require.Equal(t, findings.Region{File: "part.wgsl", Line: 2, Column: 7, EndLine: 2, EndColumn: 8}, again.Region(spanOf(t, again.Text, "y")))
	require.Equal(t, findings.Region{Line: 2, Column: 7, EndLine: 2, EndColumn: 18}, again.Region(spanOf(t, again.Text, "é = (y")))
	require.Equal(t, 3, again.Region(spanOf(t, again.Text, "1 y")).Line)
	require.Same(t, main, again.File("main.wgsl"))
}

func TestUntouchedTextIsTheFile(t *testing.T) {
	for _, text := range []string{"", "const x = 1;\n"} {
		main := syntax.NewSource("a.wgsl", text)
		b := New(main)
		b.Copy(main, whole(main))
		require.Same(t, main, b.Source())
	}
	nothing := New(syntax.NewSource("a.wgsl", "#define A")).Source()
	require.Empty(t, nothing.Text)
	require.Equal(t, 1, nothing.Position(0).Line, "nothing is left of the file")
	require.Equal(t, "#define A", nothing.WrittenLine(nothing.Region(syntax.Span{})))
}
