package ir

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// TestEveryBuiltinIsKnown checks that the compiler knows every compute builtin in the table, except
// those that the package comment leaves out.
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
		known := composed || one || two || three || atomic || b.Name == "arrayLength" || strings.HasPrefix(b.Name, "buffer") || b.Name == "workgroupUniformLoad"
		assert.True(t, known, b.Name)
	}
}
