package editortest

import (
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/observe/editor"
	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/observe/vet"
)

// Shaders returns right and wrong shaders of the course, from the folders of its exercises.
func Shaders(t testing.TB, exercises fs.FS) (texts []string) {
	for _, pattern := range []string{"reference.wgsl", "wrong/*.wgsl", "skeleton.wgsl"} {
		names, err := fs.Glob(exercises, "*/"+pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := fs.ReadFile(exercises, name)
			require.NoError(t, err)
			texts = append(texts, string(text))
		}
	}
	require.Greater(t, len(texts), 100)
	return texts
}

// RandomEdits types, deletes and pastes at random, so many times, in and from shaders. After
// every edit the diagnostics are those of a fresh read, and every request gets an answer.
func RandomEdits(t *testing.T, all []string, edits int) {
	const seed = 43
	rng := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"\n", " ", ";", "{", "}", "(", ")", "<", ">", ".", "@", "/*", "*/", "//", "𝄞", "é", "\r\n", "\r", "int i = 0;", "let x = ", "// print: a", "//print if a:", "\n// print: id, f32(1)\n", "f32", "fn f() {", "struct S {", "a", "1", "\"", "\u2028"}
	text := all[0]
	e := Open(t, text)
	requireVetted := func(edit int) {
		diagnostics := e.Diagnostics()
		expanded, err := (&manifest.Reader{}).One("/work/try.wgsl", text)
		require.NoError(t, err)
		if expanded.Source.Text != text || len(expanded.Source.Problems()) > 0 {
			return // a template such as {a}, whose places another test holds
		}
		want := vet.Read("/work/try.wgsl", text).Findings
		require.Len(t, diagnostics, len(want), "seed %d, edit %d: %q", seed, edit, text)
		for i, f := range want {
			require.Equal(t, string(f.Kind), diagnostics[i].Code)
			require.Equal(t, lined(text, int(f.Span.Start)), diagnostics[i].Range.Start, "seed %d, edit %d: %q", seed, edit, text)
			require.Equal(t, lined(text, int(f.Span.End)), diagnostics[i].Range.End, "seed %d, edit %d: %q", seed, edit, text)
		}
	}
	requireVetted(-1)
	offset := func() int {
		at := rng.IntN(len(text) + 1)
		for at > 0 && at < len(text) && text[at]&0xC0 == 0x80 || at > 0 && at < len(text) && text[at] == '\n' && text[at-1] == '\r' {
			at--
		}
		return at
	}
	for n := range edits {
		if len(text) == 0 || len(text) > 20_000 || rng.IntN(40) == 0 {
			text = all[rng.IntN(len(all))]
			e.Change(nil, text)
		} else {
			start := offset()
			end := start
			if rng.IntN(3) == 0 {
				end = offset()
				if end-start > 40 && rng.IntN(4) > 0 {
					end = start
				}
			}
			start, end = min(start, end), max(start, end)
			written := pieces[rng.IntN(len(pieces))]
			if rng.IntN(10) == 0 {
				other := all[rng.IntN(len(all))]
				written = strings.ToValidUTF8(other[len(other)/3:len(other)/2], "")
			}
			e.Change(&editor.Range{Start: lined(text, start), End: lined(text, end)}, written)
			text = text[:start] + written + text[end:]
		}
		requireVetted(n)
		e.askEverything(lined(text, offset()))
	}
}

// lined returns a position like position, in a text in which lines end at CR as well.
func lined(text string, offset int) editor.Position {
	before := strings.ReplaceAll(text[:offset], "\r\n", "\n\n")
	line := strings.Count(strings.ReplaceAll(text[:offset], "\r\n", "\n"), "\n") + strings.Count(strings.ReplaceAll(text[:offset], "\r\n", "\n"), "\r")
	if offset > 0 && offset < len(text) && text[offset-1] == '\r' && text[offset] == '\n' {
		line-- // the place is between CR and LF
		before = before[:len(before)-1]
	}
	return editor.Position{Line: line, Character: len(utf16.Encode([]rune(before[strings.LastIndexAny(before, "\n\r")+1:])))}
}

// askEverything sends each kind of request about a place.
func (e *Editor) askEverything(at editor.Position) {
	d := map[string]any{"uri": URI}
	whole := editor.Range{End: editor.Position{Line: 1 << 20}}
	for _, method := range []string{"hover", "completion", "signatureHelp", "definition", "typeDefinition", "documentHighlight", "prepareRename", "prepareCallHierarchy"} {
		e.Ask("textDocument/"+method, map[string]any{"textDocument": d, "position": at})
	}
	for _, method := range []string{"documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "formatting"} {
		e.Ask("textDocument/"+method, map[string]any{"textDocument": d})
	}
	e.Ask("textDocument/references", map[string]any{"textDocument": d, "position": at, "context": map[string]any{"includeDeclaration": true}})
	e.Ask("textDocument/rename", map[string]any{"textDocument": d, "position": at, "newName": "renamed"})
	e.Ask("textDocument/selectionRange", map[string]any{"textDocument": d, "positions": []any{at}})
	e.Ask("textDocument/inlayHint", map[string]any{"textDocument": d, "range": whole})
	e.Ask("textDocument/codeAction", map[string]any{"textDocument": d, "range": editor.Range{Start: at, End: at}, "context": map[string]any{}})
}
