//go:build acceptance

package cases_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// TestCountsAddUpForTheWholeZoo also checks every wrong shader; four of them never end.
func TestCountsAddUpForTheWholeZoo(t *testing.T) {
	run := 0
	exercises := coursetest.Exercises(t, course.All())
	for _, e := range exercises {
		run += requireAllAddUp(t, e, zoo(t, e, "wrong"))
	}
	require.Greater(t, run, 2*len(exercises), "the zoo has more")
}
