//go:build acceptance

package coursecells_test

import (
	"testing"

	"github.com/wgslab/wgslab/internal/course"
)

// Every right and every wrong shader, on both roads, all by the same workers.
func TestBothRoadsSayTheSameOfTheWholeZoo(t *testing.T) {
	w := workers(usual)
	defer w.Close()
	for _, exercise := range course.All() {
		t.Run(exercise.ID, func(t *testing.T) {
			for _, kind := range []string{"right", "wrong"} {
				for _, path := range specimens(t, exercise.ID, kind) {
					requireSameOnBothRoads(t, w, exercise.ID, path)
				}
			}
		})
	}
}
