//go:build acceptance

package vit

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// The model card says 99.29 %. Another adapter rounds otherwise.
func TestTheTrainedNetworkReadsAsItsCardSays(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	require.InDelta(t, 0.9929, accuracyOf(t, 10_000), 0.0002)
}

// Lesson 13 says how many of 1,000 images are read without any head, and without those of layer 2.
func TestWithoutAnyHead(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/", "notebooks/beyond/")
	var second, all Off
	for head := range Heads {
		second[1][head], all[0][head], all[1][head] = true, true, true
	}
	for read, off := range map[float64]Off{0.989: {}, 0.946: all, 0.943: second} {
		require.InDelta(t, read, accuracyWithout(t, off, 1000), 0.001)
	}
}
