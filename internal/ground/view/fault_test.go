package view_test

import (
	"html/template"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/view"
)

func explode() { panic("boom") }

// A broken view panics when it is drawn.
type broken struct{ html, text bool }

func (b broken) HTML() template.HTML {
	if b.html {
		explode()
	}
	return "<p>Right in all 8 cases.</p>"
}

func (b broken) Text() string {
	if b.text {
		explode()
	}
	return "Right in all 8 cases."
}

// What can be drawn of a view stays, and a line says what is missing.
func TestAViewThatCantBeDrawn(t *testing.T) {
	whole := view.Formats(broken{})
	for _, b := range []broken{{html: true}, {text: true}, {html: true, text: true}} {
		formats := view.Formats(b)
		require.Equal(t, b.html, formats["text/html"] != whole["text/html"])
		require.Equal(t, b.text, formats["text/plain"] != whole["text/plain"])
		for _, text := range formats {
			if text == whole["text/html"] || text == whole["text/plain"] {
				continue
			}
			require.Contains(t, text, "fault in wgslab")
			require.Contains(t, text, "boom")
			require.Contains(t, text, "view_test.explode")
		}
		if b.html && !b.text {
			require.Contains(t, formats["text/html"], whole["text/plain"])
		}
	}
}

func TestDrawn(t *testing.T) {
	views := view.Drawn("The picture", func() []view.View { return []view.View{broken{}} })
	require.Equal(t, []view.View{broken{}}, views)
	views = view.Drawn("The picture", func() []view.View { explode(); return nil })
	require.Len(t, views, 1)
	require.Contains(t, views[0].Text(), "The picture can't be shown")
	require.Contains(t, views[0].Text(), "boom")
}
