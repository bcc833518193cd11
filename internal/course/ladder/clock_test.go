package ladder

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// What the clock says depends on the ratio of the two times.
func TestWhatTheClockSays(t *testing.T) {
	for says, of := range map[string]bothTimes{
		"Yours takes 40 µs, the reference 10 µs. That is 4 times as long": {40e-6, 10e-6},
		"Yours needs only 50 % of its time.":                              {5e-6, 10e-6},
		"The two are alike.":                                              {11e-6, 10e-6},
	} {
		views := of.views("a card")
		require.Len(t, views, 1)
		require.Contains(t, views[0].Text(), says)
		require.Contains(t, views[0].Text(), "By the clock, on a card")
	}
}

// Any device can time a shader. On a CPU a learner sees only the counts: its times say nothing
// about a GPU.
func TestClockOnADevice(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	exercise, err := course.Find("row-sum")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	took, err := timeBoth(device, exercise, reference)
	require.NoError(t, err)
	require.Positive(t, took.yours)
	require.Positive(t, took.reference)

	views := Costs(t.Context(), device, "row-sum", func(string) (*shader.Source, error) { return reference, nil })
	require.Equal(t, device.Adapter().Kind == shader.GPU, saysClock(views))
	require.False(t, saysClock(Costs(t.Context(), nil, "row-sum", func(string) (*shader.Source, error) { return reference, nil })))
}

func saysClock(views []view.View) bool {
	for _, v := range views {
		if note, ok := v.(view.Note); ok && strings.HasPrefix(note.Title, "By the clock") {
			return true
		}
	}
	return false
}
