//go:build acceptance

package zoo_test

import (
	"testing"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// manySeeds are for a driver. Make test has the first.
var manySeeds = seeds{20, 3}

// TestZooWithManySeeds judges the specimens on a driver with further seeds.
func TestZooWithManySeeds(t *testing.T) {
	visitAll(t, coursetest.Exercises(t, course.All()), shader.CPU, manySeeds)
}

// TestZooInTheSimulator judges the right shaders with the simulator alone, which runs the large
// cases as well. Beside the driver it has already watched the small ones, so a tenth of the seeds
// will do. The wrong shaders have had the same seed and the same simulator in
// internal/course/authoring.
func TestZooInTheSimulator(t *testing.T) {
	visitAll(t, coursetest.Exercises(t, course.All()), shader.Simulated, seeds{2, 0})
}
