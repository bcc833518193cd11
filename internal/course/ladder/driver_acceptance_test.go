//go:build acceptance

package ladder_test

import (
	"testing"

	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// The whole zoo on a driver, which may compile a single shader for 16 seconds.
func TestTheZooOnADriver(t *testing.T) {
	coursetest.NeedsChange(t, "internal/course/ladder/", "internal/machine/engine/", "shaders/")
	device := open(t, "")
	t.Run("every rung", func(t *testing.T) { everyRungIsRight(t, device, everyRung()) })
	t.Run("right", func(t *testing.T) { rightOnesAreRight(t, device) })
	t.Run("wrong", func(t *testing.T) { wrongOnesAreRejected(t, device) })
}
