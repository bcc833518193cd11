package editor

import (
	"bytes"
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/stretchr/testify/require"
)

// actionsOf returns what a server offers for a whole document, and what it writes to standard
// error.
func actionsOf(t *testing.T, text string) (titles []string, stderr string) {
	t.Helper()
	var said bytes.Buffer
	s := &Server{options: Options{Stderr: &said}}
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true})
	d := newDocument("file:///try.wgsl", 0, newText(text, true), nil)
	p := &CodeActionParams{}
	p.Range.End = Position{Line: 99}
	p.Context.Only = []string{quickFix, fixAll, rewrite}
	actions, err := s.codeActions(d, p)
	require.NoError(t, err)
	for _, a := range actions.([]CodeAction) {
		titles = append(titles, a.Title)
	}
	return titles, said.String()
}

// A code action that panics is missing, and standard error says so. The editor gets the others.
func TestACodeActionThatFails(t *testing.T) {
	const head = `@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
`
	for i, c := range []struct {
		text string
		rest int // how many are left if the list of this kind fails
	}{
		{head + "  let n = 1u << id.x + 1;\n  let m = 2u << id.x + 1;\n  x[id.x] = n + m;\n}", 1},
		{head + "  let n = 1u << id.x + 1;\n  let m = 2u << id.x + 1;\n  x[id.x] = n + m;\n}", 2},
		{head + "  x[id.x] = 7u;\n}", 0},
	} {
		source := actionSources[i]
		whole, stderr := actionsOf(t, c.text)
		require.Empty(t, stderr)
		require.Greater(t, len(whole), c.rest, "%s: %v", source.kind, whole)
		fail := func(offer func(*document, touching) []offered) (titles []string) {
			actionSources[i].offer = offer
			defer func() { actionSources[i] = source }()
			titles, stderr := actionsOf(t, c.text)
			require.Contains(t, stderr, "a code action ("+source.kind+") for file:///try.wgsl failed: boom\n")
			return titles
		}
		lists := fail(func(*document, touching) []offered { panic("boom") })
		require.Len(t, lists, c.rest)
		require.Subset(t, whole, lists)
		require.Equal(t, whole, fail(func(d *document, touches touching) []offered {
			return append([]offered{func() CodeAction { panic("boom") }}, source.offer(d, touches)...)
		}))
	}
}
