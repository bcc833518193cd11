//go:build acceptance

package zoo_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// No solution of an earlier exercise, or of one whose lines are given, solves a later one. A later
// exercise may do the work of an earlier one in a better way: matmul-tiled solves matmul. And a
// shader with a bug, repaired, solves the exercise whose wrong shader it is: notebooks hide it
// until that one is solved.
func TestNoSolutionSolvesALaterExercise(t *testing.T) {
	// Each solution needs fewer steps for its own exercise, as the test sees. In others, many
	// loop until they are stopped.
	simulated := simulator.New(simulator.Options{Steps: 20_000_000})
	on := shader.Engines{Values: simulated, Watcher: simulated}
	ran := 0
	all := course.OfTheCourse()
	tried := coursetest.Exercises(t, all)
	for j, b := range all {
		if !slices.Contains(tried, b) {
			continue
		}
		for i, a := range all {
			solution, err := a.Reference()
			require.NoError(t, err)
			if a.Kind == course.FindBug && a.WrongAsIn == b.ID {
				continue
			}
			ran++
			v, err := judge.Run(t.Context(), on, b, solution, 1)
			require.NoError(t, err, "%s on %s", a.ID, b.ID)
			switch {
			case i == j:
				require.True(t, v.Passed(), "%s: %s", a.ID, v.Text())
			case v.Passed() && i < j:
				t.Errorf("the solution of %s solves %s, which comes later", a.ID, b.ID)
			case v.Passed():
				t.Logf("the solution of %s solves %s, which comes earlier", a.ID, b.ID)
			}
		}
	}
	t.Logf("%d pairs ran", ran)
	require.Greater(t, ran, 50*len(tried))
}
