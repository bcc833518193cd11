package usage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
)

// A wait in which this process works is over once it used as much CPU time as the limit; one in
// which it sleeps, as if others had the processors, lasts a few times as long.
func TestAWaitCountsCPUTime(t *testing.T) {
	const limit = 100 * time.Millisecond
	_, known := usage.OfProcess()
	if !known {
		t.Skip("this system doesn't tell the CPU time of a process")
	}
	used, _ := usage.OfProcess() // first: the clock may tick between two readings
	working, began := usage.Begin(), time.Now()
	for !working.Over(limit) {
	}
	after, _ := usage.OfProcess()
	require.GreaterOrEqual(t, time.Since(began), limit)
	require.True(t, after-used >= limit || time.Since(began) > 5*limit)

	sleeping, began := usage.Begin(), time.Now()
	for !sleeping.Over(limit) {
		time.Sleep(limit / 20)
	}
	require.Greater(t, time.Since(began), 5*limit)
}
