package evidence

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

// A copy of an exercise, as each edited shader gets one, runs the reference no second time; a pass
// of its own and other inputs do.
func TestCopiesShareResults(t *testing.T) {
	e, err := course.Find("scan")
	require.NoError(t, err)
	c := e.DrawSmall(1)
	kept := func(e *course.Exercise, c course.Case) int {
		_, err := In(t.Context(), e, c)
		require.NoError(t, err)
		return len(cache.known)
	}
	clear(cache.known)
	require.Equal(t, 1, kept(e, c))
	edited := *e
	edited.Kind = course.Order
	require.Equal(t, 1, kept(&edited, c))
	require.Equal(t, 1, kept(e, e.DrawSmall(1)), "equal contents")
	require.Equal(t, 2, kept(e, e.DrawSmall(2)))
	alone := e.OnlyPass(0, e.Output, false)
	require.Equal(t, 3, kept(alone, c.OnlyPass(0, c.Buffers)))
	require.Equal(t, 3, kept(e.OnlyPass(0, e.Output, false), c.OnlyPass(0, c.Buffers)), "asked again about the same pass")
}
