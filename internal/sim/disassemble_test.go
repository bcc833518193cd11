package sim

import (
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var update = flag.Bool("update", false, "write the golden files")

// TestDisassemble compares the code of a shader that uses every kind of construct.
func TestDisassemble(t *testing.T) {
	text, err := os.ReadFile("testdata/disassemble.wgsl")
	require.NoError(t, err)
	var got strings.Builder
	require.NoError(t, compiled(t, string(text)).Disassemble(&got))
	const golden = "testdata/disassemble.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}

func compiled(t *testing.T, text string) *Program {
	program, err := CompileEntry(shader.ReadWith("test.wgsl", text, types.AllFeatures), nil, false)
	require.NoError(t, err)
	return program
}

// TestInstructions checks that the table is complete: each instruction has its own name, its effect
// names exactly its operands, and its watched form takes the same operands.
func TestInstructions(t *testing.T) {
	names := map[string]bool{}
	for o := range opCount {
		i := o.info()
		assert.NotEmpty(t, i.name, "operation %d", o)
		assert.False(t, names[i.name], "%s: twice in the table", i.name)
		names[i.name] = true
		for letter, kind := range map[string]operand{"n": i.operands.n, "a": i.operands.a, "b": i.operands.b, "c": i.operands.c} {
			named := false
			for _, word := range operandLetter.FindAllString(i.effect, -1) {
				named = named || word == letter
			}
			count := kind == number // a row already shows its length
			if !count {
				assert.Equal(t, kind != unused, named, "%s: operand %s", i.name, letter)
			}
		}
		if i.watched != 0 {
			assert.Equal(t, i.operands, i.watched.info().operands, i.name)
			assert.Zero(t, i.watched.info().watched, i.name)
		}
		if i.orElse != 0 {
			assert.Equal(t, o, i.orElse.info().orElse, "%s: the opposite of the opposite", i.name)
		}
	}
}

// A program without any lines still has code: the end of main.
func TestDisassembleNothing(t *testing.T) {
	require.NoError(t, compiled(t, "@compute @workgroup_size(1) fn main() {}").Disassemble(io.Discard))
}
