package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Every shader to write for points has two or three other ways, each with what it does differently.
// A learner who found one of them is not shown it.
func TestOtherWays(t *testing.T) {
	for _, e := range course.OfTheCourse() {
		if e.Kind != course.Write || e.Practice {
			continue // there are few other ways to write a warm-up
		}
		reference, err := exercises.Reference(e.ID)
		require.NoError(t, err)
		ways, err := OtherWays(e, shader.Read("own.wgsl", reference))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(ways), 2, e.ID)
		require.LessOrEqual(t, len(ways), mostWays, e.ID)
		for _, w := range ways {
			assert.True(t, strings.HasSuffix(w.Says, "."), "%s: %s", e.ID, w.Says)
			assert.Contains(t, w.Text, "@compute")
			assert.False(t, strings.HasPrefix(w.Text, "//"), "its sentence says it")
			assert.Contains(t, ways.Text(), w.Says)
		}
		rest, err := OtherWays(e, shader.Read("own.wgsl", "// mine\n"+ways[0].Text))
		require.NoError(t, err)
		assert.NotContains(t, rest.Text(), ways[0].Says)
	}
}

func TestWaysAreEscaped(t *testing.T) {
	html := string(Ways{{Says: "It compares `a < b`.", Text: "a < b"}}.HTML())
	require.Contains(t, html, "<code>a &lt; b</code>")
	require.Contains(t, html, ">a &lt; b</pre>")
}
