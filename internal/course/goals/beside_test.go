package goals

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Two ways are counted on the same numbers: the learner's shaders, and the references for others.
func TestTwoWaysBesideEachOther(t *testing.T) {
	tree, err := exercises.Reference("scan-256")
	require.NoError(t, err)
	work := map[string]string{"scan-256": tree, "softmax": "fn main( {", "mix": "// nothing yet"}
	load := func(id string) (*shader.Source, error) {
		if text, ok := work[id]; ok {
			return shader.ReadCell(id+".wgsl", text), nil
		}
		return nil, fs.ErrNotExist
	}
	said := func(left, right string) string {
		views, _ := Beside(t.Context(), left, right, load)
		return textOf(views)
	}
	plain := said("scan-256", "scan-together")
	require.Regexp(t, `laptop's.* 379 µs, arithmetic +125 µs, memory +3\.04`, plain)
	require.Regexp(t, `barriers +69,632 +4,096`, plain)
	require.Regexp(t, `scan-256, n = 1048576 +yours\n +scan-together, n = 1048576 +the reference: yours is not written yet`, plain)

	plain = said("scores t=64 + softmax rows=512 cols=64 + mix t=64", "attention-online t=64")
	require.Contains(t, plain, "scores + softmax + mix")
	require.Regexp(t, `softmax, 512 × 64 +the reference: yours does not run yet`, plain)
	require.Regexp(t, `mix, t = 64, d = 32, heads = 8 +the reference: yours is not written yet`, plain)

	plain = textOf(Roofline(t.Context(), "h100", "copy-2d + sum-fast + matmul m=64", load))
	require.Contains(t, plain, "on NVIDIA H100")
	require.Regexp(t, `Y sum-fast +0\.56 operations a byte(.|\n)*R matmul`, plain)

	for mistake, says := range map[string]string{
		"":             "Name an exercise",
		"matmull":      "matmull",
		"matmul m":     `"m" is no size: write NAME=NUMBER`,
		"matmul m=0":   `"m=0" is no size: write NAME=NUMBER`,
		"matmul q=3":   `Matmul has no size "q": use k, m, n`,
		"matmul/fast":  `Matmul has no right shader "fast"`,
		"forward":      "Forward has no single shader to count",
		"scan":         "Scan has no single shader to count",
		"break-matmul": "has no single shader to count",
	} {
		require.Contains(t, said(mistake, "gemv"), says)
		require.Contains(t, textOf(Roofline(t.Context(), "laptop", "gemv + "+mistake, load)), says)
	}
	require.Contains(t, textOf(Roofline(t.Context(), "toaster", "gemv", load)), "No device is called")
	load = func(string) (*shader.Source, error) { return nil, errors.New("it is a folder") }
	require.Contains(t, said("gemv", "gemv"), "It is a folder")
}

func textOf(views []view.View) string {
	var said []string
	for _, v := range views {
		said = append(said, v.Text())
	}
	return strings.Join(said, "\n")
}
