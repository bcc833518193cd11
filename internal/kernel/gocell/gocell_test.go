package gocell_test

import (
	"go/ast"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/kernel/gocell"
)

func TestRead(t *testing.T) {
	c := gocell.Read("%noautoget\nimport \"fmt\"\n!ls\nvar x = `\n %% in a string`\n%% --verbose\n//go:noinline\nfmt.Println(x)\n%%\n")
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

func TestReadWithoutMain(t *testing.T) {
	c := gocell.Read("func f() {")
	require.False(t, c.HasMain)
	require.Empty(t, c.Commands)
	file, err := c.File()
	require.Error(t, err)
	require.NotNil(t, file)
	require.Empty(t, gocell.Read("%main").Commands)
}
