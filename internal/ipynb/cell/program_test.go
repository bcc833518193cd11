package cell_test

import (
	"go/ast"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ipynb/cell"
)

func TestReadProgram(t *testing.T) {
	c := cell.ReadProgram("%noautoget\nimport \"fmt\"\n!ls\nvar x = `\n %% in a string`\n%% --verbose\n//go:noinline\nfmt.Println(x)\n%%\n")
	require.Equal(t, "\nimport \"fmt\"\n\nvar x = `\n %% in a string`\n", c.Declarations)
	require.Equal(t, "//go:noinline\nfmt.Println(x)\n\n", c.Main)
	require.True(t, c.HasMain)
	require.Equal(t, []string{"%noautoget", "!ls", "%% --verbose", "//go:noinline", "%%"}, c.Commands)

	file, err := c.File()
	require.NoError(t, err)
	require.Len(t, file.Decls, 3)
	require.Equal(t, "main", file.Decls[2].(*ast.FuncDecl).Name.Name)
	file, err = c.Declared()
	require.NoError(t, err)
	require.Len(t, file.Decls, 2)
}

func TestReadProgramWithoutMain(t *testing.T) {
	c := cell.ReadProgram("func f() {")
	require.False(t, c.HasMain)
	require.Empty(t, c.Commands)
	file, err := c.File()
	require.Error(t, err)
	require.NotNil(t, file)
	require.Empty(t, cell.ReadProgram("%main").Commands)
}

// A command may be written as a comment, and may go on in the next line.
func TestReadProgramCommands(t *testing.T) {
	c := cell.ReadProgram("//gonb:%noautoget\n!echo \\\n  a\nvar x = 1 // gonb:%env\n//gonb:%%\nprintln(x)\n!ls \\")
	require.Equal(t, []string{"%noautoget", "!echo  a", "!ls  "}, c.Commands)
	require.Equal(t, "\n\n\nvar x = 1 // gonb:%env\n", c.Declarations)
	require.Equal(t, "println(x)\n\n", c.Main)
	require.True(t, c.HasMain)
}
