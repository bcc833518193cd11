package cell_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

func TestProgram(t *testing.T) {
	source := cell.Read("%noautoget\nimport \"fmt\"\n!ls\nvar x = `\n %% in a string`\n%% --verbose\n//go:noinline\nfmt.Println(x)\n%%\n")
	c := source.Program()
	require.Equal(t, "\nimport \"fmt\"\n\nvar x = `\n %% in a string`\n", c.Declarations)
	require.Equal(t, "//go:noinline\nfmt.Println(x)\n\n", c.Main)
	require.True(t, c.HasMain)
	require.Equal(t, []string{"%noautoget", "!ls", "%% --verbose", "//go:noinline", "%%"}, c.Commands)

	declared, err := source.Declared()
	require.NoError(t, err)
	require.Len(t, declared, 2)
	again, err := source.Declared()
	require.NoError(t, err)
	require.Same(t, declared[0], again[0], "Go is parsed once")
}

func TestProgramWithoutMain(t *testing.T) {
	source := cell.Read("func f() {")
	c := source.Program()
	require.False(t, c.HasMain)
	require.Empty(t, c.Commands)
	declared, err := source.Declared()
	require.Error(t, err)
	require.Len(t, declared, 1, "the part that the parser understood")
	require.Empty(t, cell.Read("%main").Program().Commands)
}

// A command may be written as a comment, and may go on in the next line.
func TestProgramCommands(t *testing.T) {
	c := cell.Read("//gonb:%noautoget\n!echo \\\n  a\nvar x = 1 // gonb:%env\n//gonb:%%\nprintln(x)\n!ls \\").Program()
	require.Equal(t, []string{"%noautoget", "!echo  a", "!ls  "}, c.Commands)
	require.Equal(t, "\n\n\nvar x = 1 // gonb:%env\n", c.Declarations)
	require.Equal(t, "println(x)\n\n", c.Main)
	require.True(t, c.HasMain)
}
