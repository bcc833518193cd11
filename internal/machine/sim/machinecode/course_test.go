package machinecode_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/machinecode"
)

// Compiled code leaves the same bits as the interpreter, after as many steps, and finds the same:
// for the reference of every exercise and its first wrong shader.
func TestCompiledCodeLeavesTheSame(t *testing.T) { compareAll(t, course.All(), 1) }

// compareAll compares the references of exercises, and so many wrong shaders of each.
func compareAll(t *testing.T, exercises []*course.Exercise, most int) {
	compared := 0
	for i, e := range exercises {
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
		for j, source := range sources {
			compared += compareWays(t, e, small, source, (i+j)%2 == 0)
		}
	}
	t.Logf("%d shaders compared", compared)
	require.Positive(t, compared)
}

// compareWays runs a shader in the interpreter and as machine code: from the start in one of the
// runs, plain or watched, and from its half in the other, with a memory of its own. It returns 1,
// or 0 if the shader does not compile.
func compareWays(t *testing.T, e *course.Exercise, c course.Case, source *shader.Source, fromHalf bool) int {
	t.Helper()
	if _, err := e.Compile(t.Context(), simulator.New(simulator.Options{}), source); err != nil {
		return 0
	}
	for _, watch := range []bool{false, true} {
		run := func(way sim.Compile) (shader.Result, error) {
			program, err := e.Compile(t.Context(), simulator.New(simulator.Options{Compile: way, Cores: 1, Steps: 20_000_000}), source)
			require.NoError(t, err)
			d, err := e.Dispatched(c, source)
			require.NoError(t, err)
			d.Watch = watch
			return program.Run(t.Context(), d)
		}
		want, failed := run(sim.Never)
		way := sim.Always
		if watch == fromHalf {
			way = sim.After(want.Steps / 2)
		}
		machinecode.OwnMemory = watch == fromHalf
		got, failedToo := run(way)
		machinecode.OwnMemory = false
		assert.Equal(t, failed, failedToo, "%s of %s", source.Name, e.ID)
		assert.Equal(t, want, got, "%s of %s", source.Name, e.ID)
	}
	return 1
}
