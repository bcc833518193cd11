package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// BenchmarkRun runs whole checks in the simulator, of each exercise's reference and of a wrong
// shader. To run it as in the browser: GOOS=js GOARCH=wasm go test -exec go_js_wasm_exec.
func BenchmarkRun(b *testing.B) {
	alone := simulator.New(simulator.Options{})
	for _, exercise := range course.All() {
		right, err := exercises.Reference(exercise.ID)
		require.NoError(b, err)
		wrong, err := exercises.Files.Glob(exercise.ID + "/wrong/no-guard*.wgsl")
		require.NoError(b, err)
		sources := map[string]string{"right": right}
		if len(wrong) > 0 {
			text, err := exercises.Files.ReadFile(wrong[0])
			require.NoError(b, err)
			sources["wrong"] = string(text)
		}
		for kind, source := range sources {
			b.Run(exercise.ID+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					v, err := judge.Run(b.Context(), shader.Engines{Values: alone, Watcher: alone}, exercise, shader.Read("bench.wgsl", source), 1)
					require.NoError(b, err)
					require.Equal(b, kind == "right", v.Passed(), v.Message)
				}
			})
		}
	}
}
