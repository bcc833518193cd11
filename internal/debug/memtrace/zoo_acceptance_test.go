//go:build acceptance

package memtrace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
)

// TestCountsAddUpForTheWholeZoo also checks every wrong shader; four of them never end.
func TestCountsAddUpForTheWholeZoo(t *testing.T) {
	run := 0
	for _, e := range course.All() {
		run += requireAllAddUp(t, e, zoo(t, e, "wrong"))
	}
	require.Greater(t, run, 150, "the zoo has more")
}
