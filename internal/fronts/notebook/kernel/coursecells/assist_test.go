package coursecells

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// Cursors are counted in code points from the beginning of the cell.
func TestHelpWithAShadersCell(t *testing.T) {
	code := "%%writefile work/é.wgsl\n// 𝄞 é\nfn main() { let x = workgr"
	cursor := len([]rune(code))
	found, err := ShaderCells{}.Complete(t.Context(), cell.Read(code), cursor)
	require.NoError(t, err)
	require.Contains(t, found.Matches, "workgroupUniformLoad")
	require.Equal(t, cursor-len("workgr"), found.Start)
	require.Equal(t, cursor, found.End)

	found, err = ShaderCells{}.Complete(t.Context(), cell.Read(code), 5)
	require.NoError(t, err)
	require.Empty(t, found.Matches, "in the file's name")
	require.Equal(t, 5, found.Start)

	code = "%%writefile work/é.wgsl\n// 𝄞 é\nfn main() { let x = max(1, 2); }"
	at := len([]rune(code[:strings.Index(code, "max")])) + 1
	inspected, err := ShaderCells{}.Inspect(t.Context(), cell.Read(code), at, 0)
	require.NoError(t, err)
	require.True(t, inspected.Found)
	require.Contains(t, inspected.Data["text/plain"], "max")
	inspected, err = ShaderCells{}.Inspect(t.Context(), cell.Read(code), 3, 0)
	require.NoError(t, err)
	require.False(t, inspected.Found)
}

func TestWhetherAShadersCellIsWhole(t *testing.T) {
	for code, wanted := range map[string][2]string{
		"%%writefile work/x.wgsl":                               {"incomplete", ""},
		"%%writefile work/x.wgsl\n":                             {"incomplete", ""},
		"%%writefile work/x.wgsl\nfn main() {":                  {"incomplete", "    "},
		"%%writefile work/x.wgsl\nfn main() {\n  let x = 1;\n}": {"complete", ""},
		"%%writefile work/x.wgsl\nfn fn fn;":                    {"invalid", ""},
	} {
		status, indent := ShaderCells{}.IsComplete(cell.Read(code))
		require.Equal(t, wanted, [2]string{status, indent}, code)
	}
}
