package ladder_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A workgroup for each row pays for few long rows.
func TestTimeArgmax(t *testing.T) {
	argmax, err := exercises.Reference("argmax")
	require.NoError(t, err)
	shared, err := exercises.Reference("argmax-shared")
	require.NoError(t, err)
	shapes := []ladder.Shape{{Rows: 10_000, Cols: 10}, {Rows: 10, Cols: 10_000}}
	a, err := ladder.TimeArgmax(t.Context(), open(t, shader.Simulated), argmax, shared, shapes, func(string) {})
	require.NoError(t, err)
	t.Log(a.Seconds)
	require.Len(t, a.Seconds, len(shapes))
	require.Greater(t, a.Seconds[1][0], 4*a.Seconds[1][1], "few long rows")
	shown := a.Views()
	require.Len(t, shown, len(shapes))
	require.Contains(t, shown[0].Text(), "10,000 rows of 10, in milliseconds, at least, on a laptop's GPU")
}
