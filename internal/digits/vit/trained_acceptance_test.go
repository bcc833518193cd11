//go:build acceptance

package vit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The model card says 99.29 %. Another adapter rounds otherwise.
func TestTheTrainedNetworkReadsAsItsCardSays(t *testing.T) {
	require.InDelta(t, 0.9929, accuracyOf(t, 10_000), 0.0002)
}
