//go:build acceptance

package coursecells_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

// Both roads show the same of a right shader of each exercise, of the course's first wrong one with
// each diagnosis, and of all without a diagnosis, all by the same workers. The judge is the same on
// both: what may differ is what a road shows of a kind of verdict, and what a kept worker remembers.
func TestBothRoadsSayTheSameOfEachDiagnosis(t *testing.T) {
	w := workers(usual)
	defer w.Close()
	had := map[string]bool{}
	for _, exercise := range course.All() {
		paths := specimens(t, exercise.ID, "right")[:1]
		for _, path := range specimens(t, exercise.ID, "wrong") {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			if diagnosis := course.Diagnosis(string(text)); diagnosis == "none" || !had[diagnosis] {
				had[diagnosis] = true
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
