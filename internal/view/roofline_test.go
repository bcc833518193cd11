package view

import (
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
		"Y yours          1 operations a byte, 10 G a second: 4 % of its roof",
		"R the reference  10 operations a byte, 1 T a second: 50 % of its roof",
		"L the least      100 operations a byte, 2 T a second: 100 % of its roof",
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
