package enginetest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/enginetest"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A mutant is the simulator with one operation whose error exceeds WGSL's limit somewhat. It
// replaces each occurrence of one text with another.
type mutant struct{ says, runs string }

// A mutated engine runs the mutant of each shader.
type mutated struct {
	shader.Backend
	mutant
}

func (m mutated) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	return m.Backend.Compile(ctx, shader.Read(source.Name, strings.ReplaceAll(source.Text, m.says, m.runs)))
}

// grown returns a mutant whose function has results that are too large by a factor.
func grown(name, factor string) mutant {
	return mutant{"(" + name + "(", "(" + factor + " * " + name + "("}
}

// The factors are a few times the limits of § 15.7.4. 1.0000005 is an error of 4 ulp; chains of
// inexact operations allow more. That applies to sqrt, which is 1 / inverseSqrt, and to sinh and
// pow, which use exp.
var mutants = []mutant{
	{" + x", " + 1.0000005 * x"}, {" / x", " * 1.0000005 / x"},
	grown("inverseSqrt", "1.0000005"), grown("sqrt", "1.000002"),
	grown("length", "1.000002"), grown("distance", "1.000002"), grown("normalize", "1.000002"), grown("reflect", "1.000002"), grown("dot", "1.000002"),
	grown("fma", "1.0000005"), grown("mix", "1.000002"), grown("smoothstep", "1.00001"), grown("degrees", "1.0000005"), grown("radians", "1.0000005"),
	grown("log", "1.000002"), grown("log2", "1.000002"), grown("exp", "1.00002"), grown("exp2", "1.00002"), grown("pow", "1.00002"),
	grown("sinh", "1.00002"), grown("cosh", "1.00002"), grown("tanh", "1.0005"),
	grown("asinh", "1.0005"), grown("acosh", "1.00002"), grown("atanh", "1.0005"),
	grown("sin", "1.01"), grown("cos", "1.01"), grown("tan", "1.01"), // limit: 2^-11 of 1
	grown("asin", "1.002"), grown("acos", "1.002"), grown("atan", "1.002"), grown("atan2", "1.002"), // limit: 4096 ulp
}

// TestWrongAccuracyIsSeen checks that random programs distinguish each mutant from an engine that
// rounds as WGSL requires. TestRandomPrograms checks the opposite, that errors within the limits
// pass, on every driver.
func TestWrongAccuracyIsSeen(t *testing.T) {
	simulator := simulator.New(simulator.Options{})
	caught := map[string]int{}
	const most = 400
	programs := enginetest.Programs(enginetest.Naga...)
	for i := range most {
		p := programs.Example(i)
		want, _, err := p.Run(t.Context(), simulator, false)
		require.NoError(t, err)
		require.Empty(t, p.Compare(want, want).Different, "the simulator itself")
		for _, m := range mutants {
			if caught[m.says] > 0 || !strings.Contains(p.Source, m.says) {
				continue
			}
			got, _, err := p.Run(t.Context(), mutated{simulator, m}, false)
			require.NoError(t, err)
			if p.Compare(got, want).Different != "" {
				caught[m.says] = i + 1
			}
		}
		if len(caught) == len(mutants) {
			break
		}
	}
	for _, m := range mutants {
		assert.Positive(t, caught[m.says], "%s…: no program sees that it is %s…", m.says, m.runs)
	}
	t.Logf("by which program each is seen: %v", caught)
}
