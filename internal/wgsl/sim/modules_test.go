package sim_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// TestEveryValidModuleCompiles: the compiler takes whatever the front end takes, or says what it does not know; it never
// panics.
func TestEveryValidModuleCompiles(t *testing.T) {
	compiled, refused := 0, map[string]int{}
	suite(t, "validation.jsonl.gz", func(line []byte) {
		var module struct {
			Test, Code string
			Constants  map[string]float64
		}
		require.NoError(t, json.Unmarshal(line, &module))
		info, found := sim.Analyse(syntax.NewSource("", module.Code), types.AllFeatures)
		if info == nil || syntax.HasErrors(found) {
			return
		}
		for _, entry := range info.EntryPoints {
			if entry.Stage != types.ComputeStage {
				continue
			}
			pipeline, found := info.Pipeline(entry, module.Constants)
			if syntax.HasErrors(found) {
				continue
			}
			for _, debug := range []bool{false, true} {
				assert.NotPanics(t, func() {
					if _, err := sim.Compile(pipeline, debug); err != nil {
						_, what, _ := strings.Cut(err.Error(), ": ")
						refused[what]++
						return
					}
					compiled++
				}, module.Test+"\n"+module.Code)
			}
		}
	})
	t.Logf("%d compiled", compiled)
	for what, n := range refused {
		t.Logf("%4d refused: %s", n, what)
	}
}
