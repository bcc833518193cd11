package judge

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// ownLine diagnoses a right shader with a line that the exercise doesn't give: to put the given lines
// in order is its point.
func ownLine(f *facts) *verdict.Diagnosis {
	if f.exercise.Kind != course.Order {
		return nil
	}
	frame, loose, err := f.exercise.Offered()
	if err != nil {
		return nil // the test of the exercise reports it
	}
	line, given := course.FirstOwn(course.CodeLines(f.source.Text), slices.Concat(frame, loose))
	if line.Number == 0 {
		return nil
	}
	d := &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: "own-line", Region: findings.Region{Line: line.Number},
		Message: fmt.Sprintf("The values are right, but line %d isn't one of the given lines.", line.Number),
		Why:     "This exercise is about the order: the given lines are enough.",
		Ask:     "Which of the given lines did you leave in the comment?",
	}
	if given > 0 {
		d.Message = fmt.Sprintf("The values are right, but line %d is there more often than it is given.", line.Number)
	}
	d.Excerpt, _ = f.source.Line(line.Number)
	return d
}
