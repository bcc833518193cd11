package bench_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/cmd/wgslab/bench"
)

// A measurement that fails loses none of those before it.
func TestTheReportHoldsWhatWasMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	report, err := bench.RunGPU(ctx, bench.GPUOptions{Rounds: 1, Progress: func(step string) {
		if strings.HasPrefix(step, "forward") {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "measuring the forward pass")
	require.NotNil(t, report)
	require.NotEmpty(t, report.Products)
	require.Empty(t, report.Forward)
}
