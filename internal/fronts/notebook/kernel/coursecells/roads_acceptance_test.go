//go:build acceptance

package coursecells_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// Both roads show the same of a right shader of each exercise, of one without a diagnosis, and of
// the course's first wrong one with each tenth diagnosis, all by the same workers. The judge is the
// same on both: what may differ is what a road shows of a kind of verdict, and what a kept worker
// remembers. Each kind of verdict has many diagnoses, most of them the names of misconceptions.
func TestBothRoadsSayTheSameOfManyDiagnoses(t *testing.T) {
	w := workers(usual)
	defer w.Close()
	had := map[string]bool{}
	for _, exercise := range coursetest.Exercises(t, course.All()) {
		delete(had, "none")
		paths := specimens(t, exercise.ID, "right")[:1]
		for _, path := range specimens(t, exercise.ID, "wrong") {
			text, err := exercises.Files.ReadFile(path)
			require.NoError(t, err)
			diagnosis := course.Diagnosis(string(text))
			if had[diagnosis] {
				continue
			}
			had[diagnosis] = true
			if diagnosis == "none" || len(had)%10 == 0 {
				paths = append(paths, path)
			}
		}
		t.Run(exercise.ID, func(t *testing.T) {
			for _, path := range paths {
				requireSameOnBothRoads(t, w, exercise.ID, path)
			}
		})
	}
}
