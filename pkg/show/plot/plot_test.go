package plot

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var speed = Lines{
	Title: "Speed", X: "size", Y: "GFLOP/s", At: []float32{64, 128, 256},
	Names: []string{"naive", "tiled"}, Values: [][]float32{{1, 2, 2.5}, {3, float32(math.NaN()), 9}},
}

// TestPicture: the picture has the size that the HTML states, at twice the density, and contains
// both lines in their colours.
func TestPicture(t *testing.T) {
	address := regexp.MustCompile(`src="data:image/png;base64,([^"]+)"`).FindStringSubmatch(string(speed.HTML()))
	require.Len(t, address, 2)
	// The template writes + as a character reference.
	encoded, err := base64.StdEncoding.DecodeString(regexp.MustCompile(`&#43;`).ReplaceAllString(address[1], "+"))
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(encoded))
	require.NoError(t, err)
	require.Equal(t, width*density, picture.Bounds().Dx())
	require.Equal(t, height*density, picture.Bounds().Dy())

	_, _, _, opaque := picture.At(0, 0).RGBA()
	require.Zero(t, opaque, "the theme's background shines through")
	seen := map[[3]uint8]int{}
	for y := range height * density {
		for x := range width * density {
			r, g, b, _ := picture.At(x, y).RGBA()
			seen[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}]++
		}
	}
	for i := range speed.Names {
		c := colors[i]
		require.Greater(t, seen[[3]uint8{c.R, c.G, c.B}], 100, "the colour of %s", speed.Names[i])
	}
}

// TestText: readers who cannot see the picture get the numbers.
func TestText(t *testing.T) {
	require.Equal(t, "Speed\n"+
		"  size  naive  tiled\n"+
		"  ────  ─────  ─────\n"+
		"    64      1      3\n"+
		"   128      2    NaN\n"+
		"   256    2.5      9", speed.Text())
	require.Contains(t, string(speed.HTML()), "alt=\"Speed\n  size  naive  tiled")

	many := Lines{X: "x", At: make([]float32, 121), Names: []string{"y"}, Values: [][]float32{make([]float32, 121)}}
	require.Len(t, strings.Split(many.Text(), "\n"), 2+16, "headers, a rule, and few enough rows to listen to")
}

// TestStrange: any input from a cell gives a view and no panic.
func TestStrange(t *testing.T) {
	for name, lines := range map[string]Lines{
		"empty":        {},
		"no series":    {At: []float32{1}},
		"ragged":       {Title: "T", At: []float32{1, 2}, Names: []string{"a"}, Values: [][]float32{{1}}},
		"one point":    {At: []float32{1}, Names: []string{"a"}, Values: [][]float32{{1}}},
		"nothing real": {At: []float32{1, 2}, Names: []string{"a"}, Values: [][]float32{{float32(math.NaN()), float32(math.Inf(1))}}},
		"all alike":    {At: []float32{1, 2}, Names: []string{"a"}, Values: [][]float32{{5, 5}}},
		"below zero":   {At: []float32{1, 2}, Names: []string{"a"}, Values: [][]float32{{-5, 5}}},
		"many":         {At: make([]float32, 500), Names: []string{"a", "b", "c", "d", "e"}, Values: [][]float32{make([]float32, 500), make([]float32, 500), make([]float32, 500), make([]float32, 500), make([]float32, 500)}},
	} {
		require.NotEmpty(t, lines.HTML(), name)
		require.NotEmpty(t, lines.Text(), name)
	}
	require.Equal(t, "T\na has 1 values for 2 points", Lines{Title: "T", At: []float32{1, 2}, Names: []string{"a"}, Values: [][]float32{{1}}}.Text())
}

// The axis begins at 0 where the points begin near it, and has a tick at a point only if its number
// is short.
func TestWhereTheAxisBegins(t *testing.T) {
	for _, c := range []struct {
		at     []float32
		begin  float64
		labels string // of the first two ticks
	}{
		{[]float32{1. / 18, 2. / 18, 3. / 18, 4. / 18}, 0, "0 0.05"},
		{[]float32{1. / 18}, 0, "0 0.01"},
		{[]float32{64, 128, 256}, 0, "64 128"},
		{[]float32{0.25, 0.5, 0.75}, 0.25, "0.25 0.5"},
		{[]float32{-4, -1, 1. / 3}, -4, "-4 -3"},
		{[]float32{1000, 1001, 1002}, 1000, "1000 1001"},
	} {
		l := Lines{At: c.at, Names: []string{"y"}, Values: [][]float32{make([]float32, len(c.at))}}
		p := l.axes()
		l.add(p, l.series()[0], 0)
		require.InDelta(t, c.begin, p.X.Min, 1e-6, c)
		var labels []string
		for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max)[:min(2, len(c.at)+1)] {
			labels = append(labels, tick.Label)
		}
		require.Equal(t, c.labels, strings.Join(labels, " "), c)
	}
}
