package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/cost"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
	"github.com/wgslab/wgslab/shaders"
)

// A right shader's marks are shown once more if it is checked again, without another count.
func TestMarksAreShown(t *testing.T) {
	source, err := shaders.Source("vector-add")
	require.NoError(t, err)
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	var shown []view.View
	s := &Session{Display: func(v ...view.View) { shown = append(shown, v...) }}
	for range 2 {
		s.showMarks(t.Context(), exercise, shader.Read("own.wgsl", source))
	}
	require.Len(t, shown, 2)
	require.Len(t, s.marked, 1)
	require.Equal(t, "  What it costs (this decides nothing):\n  ✓ coalesced", shown[0].Text())
	require.Contains(t, string(shown[0].HTML()), "✓ coalesced")
}

func TestMarksAreEscaped(t *testing.T) {
	html := string(costMarks{cost.Marks{{Name: "a < b", Line: 3, Text: "a < b", Count: "barriers", Yours: 2, Limit: 1, Ask: "Is `a < b`?"}}}.HTML())
	require.Contains(t, html, "· a &lt; b: 2 barriers, most on line 3; 1 would reach it")
	require.Contains(t, html, "<code>a &lt; b</code>")
	require.NotContains(t, strings.ReplaceAll(html, "&lt;", ""), "a < b")
}
