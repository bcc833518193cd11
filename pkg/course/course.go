// Package course shows in a notebook cell where you are in the course.
//
// The lessons and exercises on its map are those of internal/course.
package course

import (
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/pkg/show"
)

// Here shows the map of the lessons. It marks the lesson with the given number, from 1, and ticks
// off the exercises that you have passed.
func Here(number int) { show.Display(learner.MapViews(number)...) }
