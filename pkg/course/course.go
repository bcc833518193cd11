// Package course is what the notebooks ask about the course itself.
package course

import (
	"os"

	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/pkg/show"
)

// Here shows the map of the eight lessons in a notebook's cell, with one lesson,
// 1 to 8, marked and what the learner has passed ticked off.
func Here(number int) { show.Display(HereViews(number)...) }

// HereViews is what Here shows.
func HereViews(number int) []show.View {
	progress, err := learner.ReadProgress(learner.WorkDir)
	if err != nil {
		return []show.View{
			show.Note{Mark: show.Bad, Title: "Your progress cannot be shown", Body: err.Error()},
			learner.Map{Here: number},
		}
	}
	return []show.View{learner.Map{Progress: progress, Here: number}}
}

// NoDriver ends a cell that speaks to WebGPU itself, where nothing answers. It says what
// runs there all the same. The cell has not failed: what stands below it goes on.
func NoDriver() {
	show.Display(noDriver)
	os.Exit(0)
}
