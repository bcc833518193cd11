package authoring

import (
	"slices"

	"github.com/wgslab/wgslab/internal/course"
)

// given requires, of an exercise whose lines are put in order, that its shaders consist of the
// given lines, and that some of those have to be left out.
func (c *check) given(e *course.Exercise) {
	if e.Kind != course.Order {
		return
	}
	frame, loose, err := e.Offered()
	if err != nil {
		c.report(c.at(skeletonOf), 0, "%v", err)
		return
	}
	given := slices.Concat(frame, loose)
	for _, path := range slices.Concat([]string{c.at(referenceOf)}, c.shaders(rightFolder), c.shaders(wrongFolder)) {
		if line, _ := course.FirstOwn(course.CodeLines(c.read(path)), given); line.Number > 0 {
			c.report(path, line.Number, "the skeleton doesn't give this line, or not so often")
		}
	}
	if len(course.CodeLines(c.read(c.at(referenceOf)))) == len(given) {
		c.report(c.at(skeletonOf), 0, "all of its lines are needed: add common mistakes, which have to be left out")
	}
}
