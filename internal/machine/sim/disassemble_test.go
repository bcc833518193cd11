package sim

import (
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
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

// A program without any lines still has code: the end of main.
func TestDisassembleNothing(t *testing.T) {
	require.NoError(t, compiled(t, "@compute @workgroup_size(1) fn main() {}").Disassemble(io.Discard))
}
