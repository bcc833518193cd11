package judge

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// lineNotGiven diagnoses a right shader with a line that the exercise doesn't give: to put the
// given lines in order is its point.
func lineNotGiven(f *facts) *verdict.Diagnosis {
	if f.Exercise.Kind != course.Order {
		return nil
	}
	frame, loose, err := f.Exercise.Offered()
	if err != nil {
		return nil // the test of the exercise reports it
	}
	line, given := course.FirstOwn(course.CodeLines(f.Source.Text), slices.Concat(frame, loose))
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
	d.Excerpt, _ = f.Source.Line(line.Number)
	return d
}

// bugFound says that the learner has named the line with the bug; "" if not, and in other
// exercises.
func (f *facts) bugFound() string {
	if f.Exercise.Bug == nil {
		return ""
	}
	line, _, isBug := f.Exercise.Bug.Named(f.Source.Text)
	if !isBug {
		return ""
	}
	if f.Exercise.Bug.Lines() > 1 {
		return fmt.Sprintf("You named a line of the part with the bug: `%s`.", line)
	}
	return fmt.Sprintf("You named the right line: the bug is in `%s`.", line)
}

// unnamed replaces the diagnosis of a shader with a bug until the learner has named the line with
// it. It shows what goes wrong, and not where.
func (f *facts) unnamed(right bool) *verdict.Diagnosis {
	if f.Exercise.Bug == nil {
		return nil
	}
	line, given, isBug := f.Exercise.Bug.Named(f.Source.Text)
	if isBug {
		return nil
	}
	d := &verdict.Diagnosis{
		Stage: verdict.StageCompare, Slug: verdict.Unnamed, Mismatch: f.Mismatch,
		Message: "The first line doesn't name the line with the bug yet.",
		Ask:     "Which line causes what you see? Copy it after the colon in the first line.",
	}
	switch {
	case right:
		d.Message = "The shader is right now, but the first line doesn't name the line that was wrong."
		d.Ask = "Compare your shader with the given one: which of its lines did you change, or which one has a new line beside it? Copy it after the colon in the first line, as it was."
	case line != "" && !given:
		d.Message = "The given shader has no line like the one that the first line names."
		d.Ask = "Can you copy the whole line, as it was given?"
	case line != "":
		d.Message = fmt.Sprintf("`%s` is not the line with the bug.", line)
		d.Ask = "What would that line have to do wrong, so that the values come out like this?"
	}
	return d
}
