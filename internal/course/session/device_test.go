package session

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A device serves many checks. The context of the one that opened it ends before the next one
// begins.
func TestTheDeviceOutlivesTheCheckThatOpenedIt(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, end := context.WithCancel(t.Context())
	on, err := engine.Open(ctx, shader.Best)
	require.NoError(t, err)
	defer on.Close()
	end()
	var shown []string
	s := Session{
		Open:    func(context.Context) (*engine.Opened, error) { return on, nil },
		Display: func(views ...view.View) { shown = append(shown, views[0].Text()) },
	}
	exercise, err := course.Find("add")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	require.NoError(t, s.Prepare(t.Context(), exercise, reference))
	v, err := s.Check(t.Context(), exercise, reference, 1)
	require.NoError(t, err)
	require.True(t, v.Passed())
	require.Contains(t, strings.Join(shown, "\n"), "Compared with the reference")
}
