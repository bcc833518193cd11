package goals

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// text draws the views of a shader for matmul as plain text, and as HTML.
func text(t *testing.T, source, id, device string) (plain, html string) {
	t.Helper()
	load := func(string) (*shader.Source, error) {
		if source == "" {
			return nil, fs.ErrNotExist
		}
		return shader.ReadCell("work/matmul.wgsl", source), nil
	}
	var said, drawn []string
	for _, v := range views(id, device, load) {
		said, drawn = append(said, v.Text()), append(drawn, string(v.HTML()))
		require.Empty(t, view.PlaceOf(v))
	}
	return strings.Join(said, "\n"), strings.Join(drawn, "\n")
}

func TestWhatAShaderCosts(t *testing.T) {
	source, err := exercises.Reference("matmul")
	require.NoError(t, err)
	plain, html := text(t, source, "matmul", "macbook")
	for _, says := range []string{"matmul: what your shader costs", "a MacBook (Apple M2, 10 cores)", "the least", "7.08 million"} {
		require.Contains(t, plain, says)
		require.Contains(t, html, says)
	}
	require.Contains(t, html, "total &#43;= a[row * dims.k &#43; i]")
	require.NotContains(t, html, "<svg", "JupyterLab removes it from notebooks that it doesn't trust")
}

func TestWhatToDoInsteadOfCounting(t *testing.T) {
	for says, of := range map[string][3]string{
		"There is no shader of yours for matmul yet": {"", "matmul", "laptop"},
		"your shader does not run yet":               {"fn main( {", "matmul", "laptop"},
		"matmul-tiled":                               {"", "matmul-tile", "laptop"},
		"No device is called":                        {"", "matmul", "toaster"},
		"written in Go":                              {"", "forward", "laptop"},
	} {
		plain, _ := text(t, of[0], of[1], of[2])
		require.Contains(t, plain, says)
	}
}

// A picture that panics is a note; a cell shows it where the picture would be.
func TestAPictureThatFails(t *testing.T) {
	drawn := Views("matmul", cost.Usual, func(string) (*shader.Source, error) { panic("boom") })
	require.Len(t, drawn, 1)
	require.Contains(t, drawn[0].Text(), "What your shader costs can't be shown")
	require.Contains(t, drawn[0].Text(), "boom")
}
