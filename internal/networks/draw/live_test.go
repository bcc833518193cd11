package draw

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/networks/cellrun"
)

func TestUnattendedThePageWaitsForNobody(t *testing.T) {
	t.Setenv(cellrun.Variable, "1")
	began := time.Now()
	require.ErrorIs(t, (&server{visited: make(chan struct{})}).wait(nil, func() bool { return false }), errAlone)
	require.Less(t, time.Since(began), visitTimeout/2)
}
