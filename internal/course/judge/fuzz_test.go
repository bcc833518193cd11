package judge

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/mutant"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// FuzzReasons checks mutants of the right shaders and searches for what is wrong with them. The
// search has no fault, speaks of lines that the mutant has, and finds the same each time: a class
// that is graded in parts or again gets the same feedback.
//
//	go test ./internal/course/judge -fuzz FuzzReasons -fuzztime 1m -fuzzminimizetime 1x
func FuzzReasons(f *testing.F) {
	paths, err := exercises.Files.Glob("*/right/*.wgsl")
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for i := range 12 { // few, because go test runs them as well
		f.Add(uint16(i*len(paths)/12), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which uint16, seed uint64) {
		path := paths[int(which)%len(paths)]
		e, err := course.Find(filepath.Base(filepath.Dir(filepath.Dir(path))))
		require.NoError(t, err)
		text, err := exercises.Files.ReadFile(path)
		require.NoError(t, err)
		mutated, changes := mutant.Of(rand.New(rand.NewPCG(seed, 1)), string(text))
		t.Log(path, changes)
		first := explained(t, e, mutated)
		if seed%4 == 0 { // the fuzzer allows ten seconds, however busy the machine is
			require.Equal(t, told(t, first), told(t, explained(t, e, mutated)))
		}
		lines := syntax.NewSource("", mutated).Lines()
		for _, p := range first.Places {
			require.True(t, 1 <= p.Line && p.Line <= lines, "line %d of %d", p.Line, lines)
		}
		for _, r := range first.Reasons {
			require.NotEmpty(t, r.Text)
			require.LessOrEqual(t, max(r.Line, r.EndLine), lines)
		}
	})
}

// quick is the simulator with fewer steps, so that a loop that is too long for the large cases
// doesn't take the fuzzer's time.
var quick = simulator.New(simulator.Options{Steps: 20_000_000})

// explained returns the verdict with its reasons, from a shader that is read anew.
func explained(t *testing.T, e *course.Exercise, text string) *verdict.Verdict {
	t.Helper()
	on := shader.Engines{Values: quick, Watcher: quick}
	v, err := Explain(t.Context(), on, e, shader.Read("work/"+e.ID+".wgsl", text), 1, nil)
	require.NoError(t, err)
	require.Empty(t, v.Fault)
	v.Milliseconds = 0
	return v
}

// told returns all that a verdict says, to programs and to people.
func told(t *testing.T, v *verdict.Verdict) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	return v.Text() + string(v.HTML()) + string(data)
}
