package goals_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// right returns the reference of an exercise and its other right shaders.
func right(t require.TestingT, e *course.Exercise) []*shader.Source {
	reference, err := e.Reference()
	require.NoError(t, err)
	others, err := e.Right()
	require.NoError(t, err)
	return append([]*shader.Source{reference}, others...)
}

// Every right shader of every exercise gets a whole report: all workgroups end within the steps.
func TestEveryRightShaderHasAReport(t *testing.T) {
	reports := 0
	exercises := coursetest.Exercises(t, course.OfTheCourse())
	for _, e := range exercises {
		for _, source := range right(t, e) {
			r, err := goals.Cost(t.Context(), e, source, cost.Options{})
			require.NoError(t, err, "%s/%s", e.ID, source.Name)
			require.True(t, r.Finished, "%s/%s", e.ID, source.Name)
			require.Positive(t, r.Total.Once, "%s/%s", e.ID, source.Name)
			require.GreaterOrEqual(t, r.Total.Moved, r.Total.Least, "%s/%s", e.ID, source.Name)
			reports++
		}
	}
	require.Greater(t, reports, 3*len(exercises))
}

// BenchmarkExercise reports the time and the memory that the reports of an exercise take, and the
// slowest of its right shaders.
func BenchmarkExercise(b *testing.B) {
	for _, e := range course.OfTheCourse() {
		b.Run(e.ID, func(b *testing.B) {
			sources := right(b, e)
			var slowest time.Duration
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				for _, source := range sources {
					started := time.Now()
					_, err := goals.Cost(b.Context(), e, source, cost.Options{})
					require.NoError(b, err)
					slowest = max(slowest, time.Since(started))
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N*len(sources))/(1<<20), "MiB/report")
		})
	}
}
