package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

// The largest case of a reference is measured in the interpreter and as machine code.
func TestMachineCodeIsMeasured(t *testing.T) {
	e, err := course.Find("row-sum")
	require.NoError(t, err)
	runs, err := measureCompiled(t.Context(), Options{Progress: func(string) {}}, e)
	require.NoError(t, err)
	require.Len(t, runs, 2)
	for _, run := range runs {
		require.Greater(t, run.Steps, uint64(leastSteps))
		require.Positive(t, run.Interpreted)
	}
	measured := &Simulated{Compiled: runs}
	require.Equal(t, "1", measured.table()[1][1])
}
