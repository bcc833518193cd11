package vit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func references(t *testing.T) map[string]string {
	t.Helper()
	sources := map[string]string{}
	for _, id := range append(slices.Clone(Exercises), OneWalk) {
		source, err := exercises.Reference(id)
		require.NoError(t, err)
		sources[id] = source
	}
	return sources
}

// The exercises' shaders, one image at a time, read as the float64 network does, with all heads and
// without some.
func TestReaderIsTheReference(t *testing.T) {
	w := uneven()
	r, err := NewReader(openDevice(t), w, references(t))
	require.NoError(t, err)
	defer r.Free()
	pixels := drawn().Images[:network.Inputs]
	var all []float64
	for _, off := range []Off{{}, {{false, true}, {true, false, false, true}}, {}} {
		got, err := r.Read(pixels, off)
		require.NoError(t, err)
		want := ForwardReference(w.Without(off), pixels)
		for i := range want {
			require.InDelta(t, want[i], got.Probabilities[i], 2e-5, "element %d", i)
		}
		for layer := range Layers {
			for head := range Heads {
				for patch := range Tokens {
					sum := float32(0)
					for _, p := range got.Look(layer, head, patch) {
						sum += p
					}
					require.InDelta(t, 1, sum, 1e-5)
				}
			}
		}
		if all == nil {
			all = want
		} else if off != (Off{}) {
			require.NotEqual(t, all, want)
		}
	}
	require.Equal(t, uneven(), w, "switching heads off leaves the weights alone")
	_, err = r.Read(make([]byte, 3), Off{})
	require.ErrorContains(t, err, "3 values are not one image")
}

func TestReaderRefusesAShader(t *testing.T) {
	sources := references(t)
	sources["mix"] = "fn main() {"
	_, err := NewReader(openDevice(t), Initial(4), sources)
	var compile *shader.CompileError
	require.ErrorAs(t, err, &compile)
}

// One pass in place of three reads the same, with the shader that it is given.
func TestOneWalkReadsTheSame(t *testing.T) {
	w, pixels := uneven(), drawn().Images[:network.Inputs]
	read := func(sources map[string]string, off Off) (AttentionMaps, int) {
		r, err := NewOneWalkReader(openDevice(t), w, sources)
		require.NoError(t, err)
		defer r.Free()
		got, err := r.Read(pixels, off)
		require.NoError(t, err)
		return got, r.Passes()
	}
	three, err := NewReader(openDevice(t), w, references(t))
	require.NoError(t, err)
	defer three.Free()
	for _, off := range []Off{{}, {{false, true}, {true}}} {
		want := ForwardReference(w.Without(off), pixels)
		got, passes := read(references(t), off)
		require.Equal(t, three.Passes()-2*Layers, passes)
		require.Empty(t, got.Looks)
		for i := range want {
			require.InDelta(t, want[i], got.Probabilities[i], 2e-5, "element %d", i)
		}
	}
	// A shader that mixes nothing shows in the result.
	sources := references(t)
	stub := strings.Replace(sources[OneWalk], "mixed[i] / total", "0.0 * mixed[i] / total", 1)
	require.NotEqual(t, sources[OneWalk], stub)
	sources[OneWalk] = stub
	got, _ := read(sources, Off{})
	want, worst := ForwardReference(w, pixels), 0.0
	for i := range want {
		worst = max(worst, math.Abs(want[i]-float64(got.Probabilities[i])))
	}
	require.Greater(t, worst, 1e-3)
}
