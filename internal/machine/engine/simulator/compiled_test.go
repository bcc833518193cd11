package simulator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	_ "github.com/wgslab/wgslab/internal/machine/sim/machinecode"
)

// Compiled code leaves the same bits as the interpreter, after as many steps, and finds the same:
// for the reference of every exercise and its first wrong shader.
func TestCompiledCodeLeavesTheSame(t *testing.T) { compareAll(t, course.All(), 1) }

// compareAll compares the references of exercises, and so many wrong shaders of each.
func compareAll(t *testing.T, exercises []*course.Exercise, most int) {
	compared := 0
	for _, e := range exercises {
		if e.IsOnHost() {
			continue
		}
		reference, err := e.Reference()
		require.NoError(t, err)
		wrong, err := e.Misconceptions()
		require.NoError(t, err)
		module, err := reference.Module()
		require.NoError(t, err)
		entry, ok := module.Entry(e.Entry)
		require.True(t, ok, e.ID)
		sources := []*shader.Source{reference}
		for _, m := range wrong[:min(most, len(wrong))] {
			if source, ok := m.In(entry.WorkgroupSize); ok {
				sources = append(sources, source)
			}
		}
		small := e.DrawSmall(1)
		for _, source := range sources {
			compared += compareWays(t, e, small, source)
		}
	}
	t.Logf("%d shaders compared", compared)
	require.Positive(t, compared)
}

// compareWays runs a shader in the interpreter and as machine code. It returns 1 if it runs at all.
func compareWays(t *testing.T, e *course.Exercise, c course.Case, source *shader.Source) int {
	t.Helper()
	for _, watch := range []bool{false, true} {
		var results [2]shader.Result
		var failed [2]error
		for i, way := range []sim.Compile{sim.Never, sim.Always} {
			program, err := e.Compile(t.Context(), simulator.New(simulator.Options{Compile: way, Cores: 1, Steps: 20_000_000}), source)
			if err != nil {
				return 0
			}
			d, err := e.Dispatched(c, source)
			require.NoError(t, err)
			d.Watch = watch
			results[i], failed[i] = program.Run(t.Context(), d)
		}
		assert.Equal(t, failed[0], failed[1], "%s of %s", source.Name, e.ID)
		assert.Equal(t, results[0], results[1], "%s of %s", source.Name, e.ID)
	}
	return 1
}
