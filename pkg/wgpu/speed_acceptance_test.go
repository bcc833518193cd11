//go:build acceptance

package wgpu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Watching costs little: a pass takes as long as on the other package, and four passes with one
// submission and one readback at most half as long again. The smallest of some hundred rounds
// hardly depends on other load.
func TestCostOfWatching(t *testing.T) {
	mine, theirs := build(t, "speed", ours), build(t, "speed", real)
	smallest := map[string]map[int]float64{ours: {}, real: {}}
	for range 4 {
		for importPath, binary := range map[string]string{ours: mine, real: theirs} {
			for line := range strings.Lines(run(t, binary, "", "300")) {
				var passes int
				var least, median float64
				_, after, _ := strings.Cut(line, "): ")
				_, err := fmt.Sscanf(after, "%d passes: smallest %f us, median %f us", &passes, &least, &median)
				require.NoError(t, err, line)
				if before, ok := smallest[importPath][passes]; !ok || least < before {
					smallest[importPath][passes] = least
				}
			}
		}
	}
	perPass := func(of string) float64 { return (smallest[of][16] - smallest[of][1]) / 15 }
	for _, passes := range []int{1, 4, 16} {
		a, b := smallest[ours][passes], smallest[real][passes]
		t.Logf("%2d passes: %.0f us here, %.0f us there, %.2f times as long", passes, a, b, a/b)
	}
	t.Logf("a pass: %.1f us here, %.1f us there; a round without passes: %.0f us and %.0f us", perPass(ours), perPass(real),
		math.Max(0, smallest[ours][1]-perPass(ours)), math.Max(0, smallest[real][1]-perPass(real)))
	require.Less(t, smallest[ours][4], 1.5*smallest[real][4])
	require.Less(t, smallest[ours][16], 1.2*smallest[real][16])
}
