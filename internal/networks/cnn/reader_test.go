package cnn

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func references(t *testing.T) map[string]string {
	t.Helper()
	sources := map[string]string{}
	for _, id := range Exercises {
		source, err := exercises.Reference(id)
		require.NoError(t, err)
		sources[id] = source
	}
	return sources
}

// The exercises' shaders, one image at a time, read as the float64 network does.
func TestReaderIsTheReference(t *testing.T) {
	w := Initial(4)
	r, err := NewReader(openDevice(t), w, references(t))
	require.NoError(t, err)
	defer r.Free()
	for image := range 2 {
		pixels := drawn().Images[image*network.Inputs : (image+1)*network.Inputs]
		got, err := r.Read(pixels)
		require.NoError(t, err)
		for i, want := range ForwardReference(w, pixels) {
			require.InDelta(t, want, got.Probabilities[i], 1e-5, "element %d", i)
		}
		require.Len(t, got.First, First*Side*Side)
		require.Len(t, got.Second, Second*Side*Side/4)

		plain := make([]float64, network.Inputs)
		for i, p := range pixels {
			plain[i] = float64(p) / 255
		}
		for i, want := range convReference(plain, Hand, make([]float32, hands), Side) {
			require.InDelta(t, want, got.Edges[i], 1e-5, "edge %d", i)
		}
	}
	_, err = r.Read(make([]byte, 3))
	require.ErrorContains(t, err, "3 values are not one image")
}

func TestReaderRefusesAShader(t *testing.T) {
	sources := references(t)
	sources["max-pool"] = "fn main() {"
	_, err := NewReader(openDevice(t), Initial(4), sources)
	var compile *shader.CompileError
	require.ErrorAs(t, err, &compile)
}
