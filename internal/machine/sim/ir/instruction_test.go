package ir

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestInstructions checks that the table is complete: each instruction has its own name, its effect
// names exactly its operands, and its watched form takes the same operands.
func TestInstructions(t *testing.T) {
	names := map[string]bool{}
	for o := range opCount {
		i := o.Info()
		assert.NotEmpty(t, i.name, "operation %d", o)
		assert.False(t, names[i.name], "%s: twice in the table", i.name)
		names[i.name] = true
		for letter, kind := range map[string]operand{"n": i.Operands.N, "a": i.Operands.A, "b": i.Operands.B, "c": i.Operands.C} {
			named := false
			for _, word := range operandLetter.FindAllString(i.effect, -1) {
				named = named || word == letter
			}
			count := kind == OperandNumber // a row already shows its length
			if !count {
				assert.Equal(t, kind != OperandUnused, named, "%s: operand %s", i.name, letter)
			}
		}
		if i.Watched != 0 {
			assert.Equal(t, i.Operands, i.Watched.Info().Operands, i.name)
			assert.Zero(t, i.Watched.Info().Watched, i.name)
		}
		if i.orElse != 0 {
			assert.Equal(t, o, i.orElse.Info().orElse, "%s: the opposite of the opposite", i.name)
		}
	}
}
