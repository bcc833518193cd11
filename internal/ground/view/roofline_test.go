package view

import (
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoofline(t *testing.T) {
	r := Roofline{Peak: 2e12, Slopes: slopes, Points: []RoofPoint{
		{"yours", 1e6, 1e6, 1e-4, 0}, {"the reference", 1e6, 1e5, 1e-6, 0}, {"the least", 1e6, 1e4, 0.5e-6, 1},
	}}
	text := r.Text()
	for _, says := range []string{
		"Y yours          1 operations a byte, 10 G a second: 4 % of what cache allows",
		"R the reference  10 operations a byte, 1 T a second: 50 % of what the arithmetic allows",
		"L the least      100 operations a byte, 2 T a second: 100 % of what the arithmetic allows",
		"slope: cache, 260 GB/s; dotted: memory, 68 GB/s; flat: arithmetic, 2 T operations a second",
	} {
		require.Contains(t, text, says)
	}
	plot, _, _ := strings.Cut(text, "└")
	row := func(letter string) int {
		for i, line := range strings.Split(plot, "\n") {
			if strings.Contains(line, letter) {
				return i
			}
		}
		t.Fatalf("%s is not in the plot", letter)
		return 0
	}
	require.Less(t, row("L"), row("R"), "faster is higher")
	require.Less(t, row("R"), row("Y"))
	require.Contains(t, string(r.HTML()), "yours")
	require.LessOrEqual(t, pictures(t, r)[0].Bounds().Dx(), 2*360)
	for _, mark := range roofMarks {
		for _, page := range []uint32{0xffffff, 0x111111} {
			a, b := luminance(mark.color)+0.05, luminance(rgb(page))+0.05
			require.Greater(t, max(a, b)/min(a, b), 3.0, "%c on %x", mark.letter, page)
		}
	}
}

// Points at one place are all seen, in the picture as rings, and in the text side by side.
func TestRooflinePointsAtOnePlace(t *testing.T) {
	same := RoofPoint{"yours", 1e6, 1e6, 1e-4, 0}
	r := Roofline{Peak: 2e12, Slopes: slopes, Points: []RoofPoint{same, {"the reference", 1e6, 1e6, 1e-4, 0}, {"the least", 1e6, 1e6, 1e-4, 1}}}
	text := r.Text()
	require.Contains(t, text, "YRL")
	require.Contains(t, text, "R the reference  the same as yours")
	require.Contains(t, text, "Y yours          1 operations a byte, 10 G a second: 4 % of what cache allows")
	require.Contains(t, text, "L the least      1 operations a byte, 10 G a second: 15 % of what memory allows")
	seen := map[color.RGBA]int{}
	picture := pictures(t, r)[0]
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			seen[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	for _, mark := range roofMarks[:len(r.Points)] {
		require.Greater(t, seen[mark.color], 60, "%c", mark.letter)
	}
}
