package learner

import (
	"github.com/wgslab/wgslab/internal/ground/view"
)

// MapViews returns what a cell shows of the course: the map with one lesson marked, and,
// if the learner's progress cannot be read, a note above it.
func MapViews(lesson int) []view.View {
	return view.Drawn("The map of the course", func() []view.View { return mapViews(lesson) })
}

func mapViews(lesson int) []view.View {
	progress, err := Read(Dir)
	if err != nil {
		return []view.View{
			view.Note{Mark: view.Bad, Title: "Your progress cannot be read", Body: err.Error()},
			Map{Here: lesson},
		}
	}
	return []view.View{Map{Progress: progress, Here: lesson}}
}
