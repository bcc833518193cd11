package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// TestEveryBuiltinIsKnown: the table of builtins has no function for compute shaders that the compiler does not know, but
// for those that the package says it leaves out.
func TestEveryBuiltinIsKnown(t *testing.T) {
	for _, b := range types.Builtins(types.FunctionBuiltin) {
		leftOut := b.Fragment || strings.HasPrefix(b.Name, "texture") || strings.HasPrefix(b.Name, "subgroup") || strings.HasPrefix(b.Name, "quad")
		if leftOut || strings.HasSuffix(b.Name, "Barrier") {
			continue
		}
		_, composed := builtins[b.Name]
		_, one := named1[b.Name]
		_, two := named2[b.Name]
		_, three := named3[b.Name]
		_, atomic := atomicKinds[b.Name]
		known := composed || one || two || three || atomic || b.Name == "arrayLength" || b.Name == "workgroupUniformLoad"
		assert.True(t, known, b.Name)
	}
}
