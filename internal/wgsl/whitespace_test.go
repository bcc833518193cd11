package wgsl

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/wgsl/mutant"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// layouts are other white space for the gaps between a shader's tokens. WGSL separates tokens by
// any white space (§ 3.3), so none of them changes what a shader means.
var layouts = []struct {
	name string
	gap  func(old string) string
}{
	{"line breaks become spaces", func(old string) string { return strings.Repeat(" ", len(old)) }},
	{"spaces become line breaks", func(old string) string { return strings.Repeat("\n", len(old)) }},
	{"every token gets a line", func(string) string { return "\r\n" }},
}

// relaid returns the shader with other gaps. It keeps comments, the line break that ends a comment,
// and characters that are in no token.
func relaid(text string, gap func(old string) string) string {
	source := syntax.NewSource("", text)
	file, _ := syntax.Parse(source)
	pieces := syntax.Tokens(source)
	lines := map[int32]bool{} // where a line comment ends
	for _, c := range file.Comments {
		pieces = append(pieces, c.Span)
		lines[c.Span.End] = !c.Block
	}
	slices.SortFunc(pieces, func(a, b syntax.Span) int { return int(a.Start - b.Start) })
	var out strings.Builder
	end := int32(0)
	for _, p := range pieces {
		old := text[end:max(end, p.Start)]
		if strings.TrimLeft(old, " \t\n\r") != "" {
			out.WriteString(old)
		} else {
			if lines[end] {
				out.WriteString("\n")
			}
			out.WriteString(gap(old))
		}
		out.WriteString(text[max(end, p.Start):p.End])
		end = p.End
	}
	return out.String() + text[end:]
}

// outcome is the front end's verdict: "refused", or the kinds of a valid shader's warnings.
func outcome(text string, options types.Options) string {
	read := Read("", text, options)
	if !read.Valid() {
		return "refused"
	}
	kinds := []string{"accepted"}
	for _, f := range read.Findings {
		kinds = append(kinds, string(f.Kind))
	}
	return strings.Join(kinds, " ")
}

// requireSameOutcome checks that no layout changes the verdict.
func requireSameOutcome(t *testing.T, name, text string, options types.Options) {
	t.Helper()
	want := outcome(text, options)
	for _, layout := range layouts {
		other := relaid(text, layout.gap)
		require.Equal(t, want, outcome(other, options), "%s: %s\n%s\n%v", name, layout.name, other, Read("", other, options).Findings)
	}
}

// TestWhiteSpaceChangesNoVerdict reads every shader of the repository in other layouts, and a
// quarter of them with a mistake as well.
func TestWhiteSpaceChangesNoVerdict(t *testing.T) {
	options := types.Options{Features: LanguageFeatures}
	rng, count := rand.New(rand.NewPCG(1, 1)), 0
	try := func(path, text string) {
		requireSameOutcome(t, path, text, options)
		if count++; count%4 == 0 && strings.Contains(text, "fn ") { // a skeleton may be a comment
			broken, changes := mutant.Of(rng, text)
			requireSameOutcome(t, path+", with "+strings.Join(changes, ", "), broken, options)
		}
	}
	solutions, err := exercises.Files.Glob("*/*/*.wgsl")
	require.NoError(t, err)
	for _, path := range solutions {
		text, err := exercises.Files.ReadFile(path)
		require.NoError(t, err)
		try(path, string(text))
	}
	for _, folder := range []string{"exercises", "shaders", "internal", "cmd", "docs", "editors", "acceptance"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".wgsl" {
				return err
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			try(path, string(text))
			return nil
		})
		require.NoError(t, err)
	}
	t.Logf("%d shaders in %d layouts", count, len(layouts))
	require.Greater(t, count, 1000)
}

// TestWhiteSpaceChangesNoCase reads a seventh of the suite's cases in other layouts.
func TestWhiteSpaceChangesNoCase(t *testing.T) {
	cases := readCases(t)
	for i := 0; i < len(cases); i += 7 {
		requireSameOutcome(t, cases[i].Test, cases[i].Code, types.Options{Features: types.AllFeatures})
	}
}
