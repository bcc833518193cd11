package draw

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestUnattendedThePageWaitsForNobody(t *testing.T) {
	t.Setenv(Unattended, "1")
	began := time.Now()
	require.ErrorIs(t, (&server{visited: make(chan struct{})}).wait(nil, func() bool { return false }), errAlone)
	require.Less(t, time.Since(began), visitTimeout/2)
}
