package cost

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
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
	for _, v := range shaderViews(id, device, load) {
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
	views := ShaderViews("matmul", Usual, func(string) (*shader.Source, error) { panic("boom") })
	require.Len(t, views, 1)
	require.Contains(t, views[0].Text(), "What your shader costs can't be shown")
	require.Contains(t, views[0].Text(), "boom")
}

// If two limits take as long, the note names each of them once, as the head of the card does.
func TestTheSameTimeByOtherCounts(t *testing.T) {
	total := func(moved, turns float64) *DispatchCost {
		return &DispatchCost{Total: Total{Moved: moved, Turns: turns}}
	}
	bound := func(limit string, seconds float64) LowerBound {
		return LowerBound{Seconds: seconds, Limits: []Limit{{limit, seconds}}}
	}
	for _, c := range []struct {
		Comparison
		said string
	}{
		{Comparison{Yours: total(8, 1), Reference: total(1, 1), Bound: bound(Requests, 1), ReferenceBound: bound(Memory, 1)},
			"Yours has 8 times as many bytes moved by neighbours as the reference. It is limited by requests, and the reference by memory, which takes as long here. Where memory is faster, you would see the difference."},
		{Comparison{Yours: total(1, 4), Reference: total(1, 1), Bound: bound(Memory, 1.05), ReferenceBound: bound(Memory, 1)},
			"Yours has 4 times as many turns of the banks as the reference. But memory takes longer than that in both, and a GPU works on all of it at once. Where memory is faster, you would see the difference."},
		{Comparison{Yours: total(8, 1), Reference: total(1, 1), Bound: bound(Requests, 2), ReferenceBound: bound(Memory, 1)}, ""},
		{Comparison{Yours: total(1, 1), Reference: total(1, 1), Bound: bound(Latency, 1), ReferenceBound: bound(Memory, 1)}, ""},
	} {
		require.Equal(t, c.said, c.hidden())
	}
}
