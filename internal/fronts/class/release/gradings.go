package release

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// setGradings tells nbgrader which cells of a lesson's notebook the learner writes, and which are
// graded with how many points, as the lesson's exercises declare. It locks no other cell, because
// each check works alone.
func setGradings(nb *nbformat.Notebook, l course.Lesson) error {
	for _, cell := range nb.Cells {
		delete(cell.Metadata, "nbgrader")
	}
	for _, exercise := range l.Exercises() {
		for _, grading := range gradings(exercise) {
			cell := find(nb, grading.ID)
			if cell == nil {
				return fmt.Errorf("%s has no code cell with the id %s, where exercise %s should be", l.Notebook, grading.ID, exercise.ID)
			}
			if err := cell.SetGrading(grading); err != nil {
				return err
			}
		}
	}
	return nil
}

// gradings returns nbgrader's settings for the two cells of an exercise. nbgrader's id of a cell
// is the cell's own id.
func gradings(e *course.Exercise) []nbformat.Grading {
	return []nbformat.Grading{
		{ID: answerCell(e), Solution: true},
		{ID: e.ID + "-check", Grade: true, Locked: true, Points: float64(e.Points)},
	}
}

// answerCell returns the id of the cell in which the learner writes.
func answerCell(e *course.Exercise) string {
	if e.IsOnHost() {
		return e.ID + "-host"
	}
	return e.ID + "-shader"
}

// find returns the code cell with an id, or nil.
func find(nb *nbformat.Notebook, id string) *nbformat.Cell {
	for _, cell := range nb.Cells {
		if cell.ID == id && cell.Type == nbformat.Code {
			return cell
		}
	}
	return nil
}
