//go:build acceptance

package cnn

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// The model card says 99.40 %. Another adapter rounds otherwise.
func TestTheTrainedNetworkReadsAsItsCardSays(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	require.InDelta(t, 0.9940, accuracyOf(t, 10_000), 0.0002)
}
