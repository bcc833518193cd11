//go:build acceptance

package zoo_test

import (
	"testing"

	"github.com/wgslab/wgslab/internal/shader"
)

func init() { onDriver = seeds{1, 20, 3} }

// TestZooInTheSimulator judges the right shaders with the simulator alone, which runs the large
// cases as well. Beside the driver it has already watched the small ones, so a tenth of the seeds
// will do. The wrong shaders have had the same seed and the same simulator in internal/authoring.
func TestZooInTheSimulator(t *testing.T) { visitAll(t, shader.Simulated, seeds{0, 2, 0}) }
