package sim_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// TestEveryValidModuleCompiles checks that the compiler accepts every valid module or says what it
// does not support, and never panics.
func TestEveryValidModuleCompiles(t *testing.T) {
	compiled, refused := 0, map[string]int{}
	suite(t, "validation.jsonl.gz", func(line []byte) {
		var module struct {
			Test, Code string
			Constants  map[string]float64
		}
		require.NoError(t, json.Unmarshal(line, &module))
		source := shader.ReadWith("", module.Code, types.AllFeatures)
		if source.Shader().Info == nil {
			return
		}
		for _, entry := range source.Shader().Info.EntryPoints {
			for _, debug := range []bool{false, true} {
				assert.NotPanics(t, func() {
					_, err := sim.CompileEntry(source.At(entry.Object.Name), module.Constants, debug)
					var mistake *shader.CompileError
					switch {
					case err == nil:
						compiled++
					case errors.As(err, &mistake) && mistake.Kind == findings.EngineRefuses:
						refused[mistake.Message]++
					}
				}, module.Test+"\n"+module.Code)
			}
		}
	})
	t.Logf("%d compiled", compiled)
	for what, n := range refused {
		t.Logf("%4d refused: %s", n, what)
	}
}
