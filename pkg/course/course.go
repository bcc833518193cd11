// Package course shows in a notebook cell where you are in the course.
//
// The lessons and exercises on its map are those of internal/course.
package course

import (
	"os"

	"github.com/wgslab/wgslab/internal/judge/progress"
	"github.com/wgslab/wgslab/pkg/show"
)

// Here shows the map of the eight lessons. It marks the lesson with the given number, 1 to
// 8, and ticks off the exercises that you have passed.
func Here(number int) { show.Display(progress.MapViews(number)...) }

// NoDriver ends a cell that needs a WebGPU driver on a machine without one, and says what
// still works there. The cell does not fail, so the cells below it still run.
func NoDriver() {
	show.Display(noDriver)
	os.Exit(0)
}
