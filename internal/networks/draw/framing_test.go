package draw

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/vit"
)

// With both shaders of lesson 9 solved, small drawings anywhere on the sheet are framed by them, as
// the page does without. With one of them, the page goes on.
func TestTheLearnersShadersFrame(t *testing.T) {
	work := t.TempDir()
	solve := func(id string) {
		source, err := exercises.Reference(id)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(work, id+".wgsl"), []byte(source), 0o644))
	}
	solve("ink-box")
	r, err := newReader(work, Files{})
	require.NoError(t, err)
	require.Nil(t, r.framing, "frame is not written yet")
	r.close()

	solve("frame")
	r, err = newReader(work, Files{})
	require.NoError(t, err)
	defer r.close()
	require.Equal(t, []Author{{"ink-box", true}, {"frame", true}, {"downsample", false}}, r.authors[:3])
	rng := rand.New(rand.NewPCG(9, 9))
	right, same := 0, 0
	for i := range 30 {
		drawing := smallDrawing(rng, i%10)
		read, err := r.read(t.Context(), drawing, false, vit.Off{})
		require.NoError(t, err)
		require.Len(t, read.Box, 4)
		require.Equal(t, []string{"ink-box", "frame"}, []string{read.Passes[0].Name, read.Passes[1].Name})
		byGo := mnist.Frame(drawing, src, src)
		apart := 0
		for j, b := range read.Pixels {
			apart = max(apart, int(b)-int(byGo[j]), int(byGo[j])-int(b))
		}
		if apart <= 1 { // bytes are rounded once here, twice there
			same++
		} else {
			t.Log("drawing", i, "is apart by", apart)
		}
		if slices.Index(read.Probabilities, slices.Max(read.Probabilities)) == i%10 {
			right++
		}
		asItIs, err := r.read(t.Context(), drawing, true, vit.Off{})
		require.NoError(t, err)
		require.Nil(t, asItIs.Box)
		require.False(t, bytes.Equal(read.Pixels, asItIs.Pixels))
	}
	require.GreaterOrEqual(t, right, 29, "of 30 drawings")
	require.GreaterOrEqual(t, same, 27, "of 30: a centre of mass between two pixels can be rounded either way")
	empty, err := r.read(t.Context(), make([]byte, src*src), false, vit.Off{})
	require.NoError(t, err)
	require.Equal(t, noInk, empty.Box)
	require.Equal(t, make([]byte, mnist.Pixels), empty.Pixels)
}

// smallDrawing returns a digit of half the sheet's height somewhere on the sheet.
func smallDrawing(rng *rand.Rand, digit int) []byte {
	strokes := mnist.Strokes(rng, digit)
	dx, dy := rng.Float64()/2, rng.Float64()/2
	for _, stroke := range strokes {
		for i, p := range stroke {
			stroke[i] = mnist.Point{X: p.X/2 + dx, Y: p.Y/2 + dy}
		}
	}
	return mnist.Rasterise(strokes, src, 0.05)
}
