//go:build cgo

package gpu

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// On a busy machine the host's clock says little about the device's: the tick of 1 ns is found
// however far the bounds are apart.
func TestTickLength(t *testing.T) {
	for _, c := range []struct {
		name        string
		least, most time.Duration
		ticks       uint64
		want        float64
	}{
		{"quiet", 30 * time.Millisecond, 31 * time.Millisecond, 30_500_000, 1},
		{"the second result came late", 30 * time.Millisecond, 45 * time.Millisecond, 31_000_000, 1},
		{"the first result came late", 30 * time.Millisecond, 60 * time.Millisecond, 55_000_000, 1},
		{"ticks of 10 ns", 30 * time.Millisecond, 31 * time.Millisecond, 3_050_000, 10},
		{"ticks of 83 ns, busy", 30 * time.Millisecond, 40 * time.Millisecond, 421_000, 83.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.InEpsilon(t, c.want, tickLength(c.least, c.most, c.ticks), 0.01)
		})
	}
}
