package learner

import "github.com/wgslab/wgslab/internal/course"

// Next returns the first exercise on the map that isn't passed: first those of the eight lessons
// that later ones need, and then the others. It returns nil if all are passed.
func (m Map) Next() *course.Exercise {
	var other *course.Exercise
	for _, l := range course.AllLessons() {
		for _, e := range l.Exercises() {
			if _, passed := m.Progress[e.ID]; passed {
				continue
			}
			if !e.Stretch && !l.IsBeyond() {
				return e
			}
			if other == nil {
				other = e
			}
		}
	}
	return other
}
