package texture

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// ramp is a texture whose texels hold their number in red and their place in the other channels.
func ramp(e Extent, axes int) TextureView {
	v := TextureView{Extent: e, Axes: axes}
	for i := range uint32(e.Texels()) {
		at, level := e.Where(i)
		texel := floats(float32(i), float32(at[0]), float32(at[1]), float32(level))
		v.Words = append(v.Words, texel[:]...)
	}
	return v
}

func flat(width, height, levels uint32) Extent {
	return Extent{Size: [3]uint32{width, height, 1}, Levels: levels, Samples: 1}
}

func TestExtent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.Uint32Range(1, 20)
		e := Extent{Size: [3]uint32{size.Draw(rt, "w"), size.Draw(rt, "h"), size.Draw(rt, "d")}, Volume: rapid.Bool().Draw(rt, "volume"), Samples: 1}
		e.Levels = rapid.Uint32Range(1, e.MostLevels()).Draw(rt, "levels")
		i := uint32(rapid.Uint64Range(0, e.Texels()-1).Draw(rt, "i"))
		at, level := e.Where(i)
		again, ok := e.At(at, level, 0)
		require.True(rt, ok)
		require.Equal(rt, i, again)
		_, ok = e.At(at, e.Levels, 0)
		require.False(rt, ok, "a level beyond the last")
	})
	require.Equal(t, uint64(7*5+3*2+1), flat(7, 5, 3).Texels())
	require.Greater(t, Extent{Size: [3]uint32{65535, 65535, 65535}, Levels: 1, Samples: 1}.Texels(), uint64(MostTexels))
}

// Halfway between two texels, linear filtering gives their mean; the nearest is one of them. Beyond
// the edges the address mode decides.
func TestSample(t *testing.T) {
	v := ramp(flat(4, 2, 1), 2)
	linear := Filter{Magnify: true, MaxLevel: 32}
	column := func(f Filter, x float32) float32 { return v.Sample(&f, SamplePoint{At: [3]float32{x, 0.25}}, 0)[1] }
	for _, c := range []struct {
		name string
		f    Filter
		x    float32
		want float32
	}{
		{"a texel's middle", linear, 1.5 / 4, 1},
		{"between two", linear, 2.0 / 4, 1.5},
		{"a quarter on", linear, 1.75 / 4, 1.25},
		{"the nearest", Filter{}, 1.99 / 4, 1},
		{"the left edge", linear, 0, 0},
		{"beyond the right edge", linear, 1.5, 3},
		{"repeated", Filter{Address: [3]AddressMode{Repeat}}, 1 + 2.5/4, 2},
		{"repeated across the edge", Filter{Magnify: true, Address: [3]AddressMode{Repeat}}, 1, 1.5},
		{"mirrored", Filter{Address: [3]AddressMode{MirrorRepeat}}, 1 + 0.5/4, 3},
	} {
		require.InDelta(t, c.want, column(c.f, c.x), 1e-6, c.name)
	}
	require.NotPanics(t, func() { column(linear, float32(math.NaN())); column(linear, float32(math.Inf(1))) })
}

func TestMipLevels(t *testing.T) {
	v := ramp(flat(8, 8, 4), 2)
	level := func(f Filter, level float32) float32 {
		return v.Sample(&f, SamplePoint{At: [3]float32{0.5, 0.5}}, level)[3]
	}
	require.Equal(t, float32(2), level(Filter{MaxLevel: 32}, 1.6))
	require.InDelta(t, 1.6, level(Filter{Mip: true, MaxLevel: 32}, 1.6), 1e-6)
	require.Equal(t, float32(3), level(Filter{Mip: true, MaxLevel: 32}, 9), "the last one")
	require.Equal(t, float32(1), level(Filter{Mip: true, MaxLevel: 1}, 9))
	require.Equal(t, float32(0), level(Filter{Mip: true, MaxLevel: 32}, -3))
	require.InDelta(t, 2, v.LevelOf([3]float32{0.5, 0}, [3]float32{0, 0.1}), 1e-6, "four texels are two levels")
}

// The order of the gathered texels is the one in § 17.7.2: lower left, lower right, upper right,
// upper left, where low means a larger row.
func TestGather(t *testing.T) {
	v := ramp(flat(4, 4, 1), 2)
	var got [4]float32
	for i, bits := range v.Gather(&Filter{}, SamplePoint{At: [3]float32{0.5, 0.5}}, 0) {
		got[i] = math.Float32frombits(bits)
	}
	require.Equal(t, [4]float32{9, 10, 6, 5}, got)
	less := Filter{Magnify: true, Compare: Compares["less"]}
	require.Equal(t, float32(0.5), TextureView{Extent: v.Extent, Words: shades(0, 1), Axes: 2}.SampleCompare(&less, SamplePoint{At: [3]float32{0.5, 0.5}}, 0.5))
}

// shades are the texels of a texture of 4 × 4: one value in the left half, another in the right.
func shades(left, right float32) (words []uint32) {
	for i := range 16 {
		value := left
		if i%4 > 1 {
			value = right
		}
		texel := floats(value, 0, 0, 1)
		words = append(words, texel[:]...)
	}
	return words
}

// The middle of each face is the face's middle, and the texel beyond an edge is on the next face.
func TestCube(t *testing.T) {
	v := TextureView{Extent: Extent{Size: [3]uint32{2, 2, 6}, Levels: 1, Samples: 1}, Axes: 3, Cube: true}
	for i := range 24 {
		texel := floats(float32(i/4), float32(i%4), 0, 1)
		v.Words = append(v.Words, texel[:]...)
	}
	for face, d := range [][3]float32{{1, 0.1, 0.1}, {-1, 0.1, 0.1}, {0.1, 1, 0.1}, {0.1, -1, 0.1}, {0.1, 0.1, 1}, {0.1, 0.1, -1}} {
		require.Equal(t, float32(face), v.Sample(&Filter{}, SamplePoint{At: d}, 0)[0])
	}
	linear := Filter{Magnify: true}
	require.InDelta(t, 2, v.Sample(&linear, SamplePoint{At: [3]float32{1, 0, 1}}, 0)[0], 1e-6, "half +x (0), half +z (4)")
	require.InDelta(t, (0.0+2+4)/3, v.Sample(&linear, SamplePoint{At: [3]float32{1, 1, 1}}, 0)[0], 1e-6, "a corner is a third of each")
}
