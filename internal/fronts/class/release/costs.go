package release

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// addCosts adds a graded cell after the check of each exercise that has goals by counts, if the
// course gives points for them. The cell passes if the shader is right and reaches all of them.
func (c Course) addCosts(nb *nbformat.Notebook, l course.Lesson) error {
	if c.CostPoints == 0 {
		return nil
	}
	for _, exercise := range l.Exercises() {
		if !exercise.RewardsCosts() {
			continue
		}
		check := find(nb, exercise.ID+"-check")
		if check == nil {
			return fmt.Errorf("%s has no check of exercise %s", l.Notebook, exercise.ID)
		}
		added := &nbformat.Cell{ID: exercise.ID + "-cost", Type: nbformat.Code, Source: course.CheckCell("Goals", exercise.ID)}
		if err := added.SetGrading(nbformat.Grading{ID: added.ID, Grade: true, Locked: true, Points: c.CostPoints}); err != nil {
			return err
		}
		nb.Cells = slices.Insert(nb.Cells, slices.Index(nb.Cells, check)+1, added)
	}
	return nil
}
