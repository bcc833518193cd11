package memtrace

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Counts that are far from each other don't make the others look alike.
func TestEachCountHasItsColour(t *testing.T) {
	for _, counts := range [][]int{{1, 2, 4, 1024}, {0, 1, 2, 4, 1024}, {1, 1000}, {0, 3}, {7}} {
		classes, class := scale([][]int{counts})
		for i := 1; i < len(counts); i++ {
			a, b := classes[class(counts[i-1])].Color, classes[class(counts[i])].Color
			far := max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B), apart(a.A, b.A))
			require.Greater(t, far, 30, "%d and %d of %v: %v, %v", counts[i-1], counts[i], counts, a, b)
		}
	}
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
