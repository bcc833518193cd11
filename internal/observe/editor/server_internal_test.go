package editor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

func TestSnippets(t *testing.T) {
	snippets := map[string]string{}
	for _, text := range []string{"fn f(a: ptr<function, array<u32, 4>>, b: u32) -> u32 { return 1; }\nfn g() { let x = ", "@", "fn g() { "} {
		for _, item := range assist.Complete(text, len(text)).Items {
			snippets[item.Text] = snippet(item)
		}
	}
	require.Equal(t, "f(${1:a}, ${2:b})", snippets["f"])
	require.Equal(t, "clamp(${1:e}, ${2:low}, ${3:high})", snippets["clamp"])
	require.Equal(t, "workgroup_size(${1:64})", snippets["workgroup_size"])
	require.Equal(t, "workgroupBarrier()", snippets["workgroupBarrier"])
	require.Empty(t, snippets["compute"])
	require.Empty(t, snippets["return"])
}

func TestPositions(t *testing.T) {
	s := "a𝄞é\r\nb\rc\n"
	for _, c := range []struct {
		utf8   bool
		offset int
		at     Position
	}{
		{false, 5, Position{Line: 0, Character: 3}}, {true, 5, Position{Line: 0, Character: 5}},
		{false, 7, Position{Line: 0, Character: 4}}, {false, 9, Position{Line: 1}},
		{false, 11, Position{Line: 2}}, {false, 13, Position{Line: 3}},
	} {
		text := newText(s, c.utf8)
		require.Equal(t, c.at, text.position(c.offset))
		require.Equal(t, c.offset, text.offset(c.at))
	}
	text := newText(s, false)
	require.Equal(t, 1, text.offset(Position{Character: 2}), "within 𝄞")
	require.Equal(t, 1, newText(s, true).offset(Position{Character: 3}), "within 𝄞")
	require.Equal(t, 7, text.offset(Position{Character: 99}), "past the line")
	require.Equal(t, len(s), text.offset(Position{Line: 99}))
	require.Equal(t, 0, text.offset(Position{Line: -1, Character: -1}))
}

// The address of a file leads back to its path.
func TestAddresses(t *testing.T) {
	require.Equal(t, "/a b/ü.wgsl", pathOf("file:///a%20b/%C3%BC.wgsl"))
	require.Equal(t, "/a b/ü.wgsl", pathOf(uriOf("/a b/ü.wgsl")))
	require.Equal(t, "untitled:1", pathOf("untitled:1"))
}
