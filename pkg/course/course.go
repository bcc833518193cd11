// Package course is what the notebooks ask about the course itself.
package course

import (
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/pkg/show"
)

// Here shows the map of the eight lessons in a notebook's cell, with one lesson,
// 1 to 8, marked and what the learner has passed ticked off.
func Here(number int) {
	progress, err := learner.ReadProgress(learner.WorkDir)
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "Your progress cannot be shown", Body: err.Error()})
		progress = learner.Progress{}
	}
	show.Display(learner.Map{Progress: progress, Here: number})
}
