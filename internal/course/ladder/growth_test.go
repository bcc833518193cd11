package ladder_test

import (
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/ladder"
)

func TestGrow(t *testing.T) {
	reference, err := exercises.Reference("matmul")
	require.NoError(t, err)
	device := open(t, "")
	g, err := ladder.Grow(device, reference, func(string) {})
	require.NoError(t, err)
	require.Equal(t, device.Adapter().Name, g.Adapter)
	require.NotEmpty(t, g.N)
	for i, n := range g.N {
		require.Equal(t, float32(32*math.Pow(2, float64(i))), n)
	}
	for _, speeds := range [][]float32{g.Yours, g.Reference, g.Tiled} {
		require.Len(t, speeds, len(g.N))
		for _, gflops := range speeds {
			require.Positive(t, gflops)
			require.Less(t, float64(gflops), 1e6)
		}
	}
	_, err = ladder.Grow(device, "fn main() {}", func(string) {})
	require.ErrorContains(t, err, "no entry point")
}

// The clock of these runs is the bubble's: sleeping takes no time and is exact.
func TestMedian(t *testing.T) { synctest.Test(t, testMedian) }

func testMedian(t *testing.T) {
	runs := 0
	took, err := ladder.Median(func() error {
		time.Sleep(6 * time.Millisecond)
		if runs++; runs > 7 { // fewer than half of the runs are slow
			time.Sleep(200 * time.Millisecond)
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 10, runs, "one to warm up, and nine")
	require.Equal(t, 6*time.Millisecond, took)

	took, err = ladder.Median(func() error {
		time.Sleep(100 * time.Microsecond)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 100*time.Microsecond, took, "of one run, not of those in a row")

	runs = 0
	took, err = ladder.Median(func() error {
		if runs++; runs == 2 {
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(100 * time.Microsecond)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 100*time.Microsecond, took)
	require.GreaterOrEqual(t, runs, 9*50, "one slow run says nothing about the others, which the clock must see as well")

	_, err = ladder.Median(func() error { return io.EOF })
	require.ErrorIs(t, err, io.EOF)
}
