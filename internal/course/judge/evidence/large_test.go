package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// On a device, every reference is right on the large case on which the check times it. The test is
// here, in a package without goroutines: under the race detector it would take eight times as long.
func TestReferencesAreRightOnLargeCases(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	for _, exercise := range coursetest.Exercises(t, course.All()) {
		if exercise.Large == nil { // add adds two numbers, and several passes aren't timed
			continue
		}
		t.Run(exercise.ID, func(t *testing.T) {
			source, err := exercises.Reference(exercise.ID)
			require.NoError(t, err)
			if strings.Contains(source, "\nenable ") {
				t.Skip("left out: the driver's compiler takes no extensions, and no check times this one")
			}
			requireRightWhenLarge(t, device, exercise, source)
		})
	}
}

func requireRightWhenLarge(t *testing.T, device *gpu.Device, exercise *course.Exercise, source string) {
	t.Helper()
	large, ok := exercise.DrawLarge(3)
	require.True(t, ok, "%s has a large case", exercise.ID)
	pipeline, err := device.Compile(exercise.ID, source)
	require.NoError(t, err)
	defer pipeline.Free()
	program, err := gpu.Backend(device).Compile(t.Context(), shader.Read(exercise.ID, source))
	require.NoError(t, err)
	defer program.Free()
	got, err := program.Run(t.Context(), shader.Dispatch{
		Workgroups: exercise.Dispatch.Workgroups(large.Extent, pipeline.WorkgroupSize()), Buffers: large.Buffers, Output: exercise.Output,
	})
	require.NoError(t, err)
	x, err := evidence.In(t.Context(), exercise, large)
	require.NoError(t, err)
	want, allowed := x.Output, x.Allowed
	if want.Element == shader.U32 {
		require.Zero(t, course.Compare(got.Output.Uints(), want.Uints(), allowed).Wrong)
		return
	}
	require.Zero(t, course.Compare(got.Output.Floats(), want.Floats(), allowed).Wrong)
}
