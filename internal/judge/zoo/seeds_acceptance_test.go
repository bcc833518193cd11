//go:build acceptance

package zoo_test

import (
	"testing"

	"github.com/wgslab/wgslab/internal/shader"
)

func init() { onDriver = seeds{50, 5} }

// TestZooInTheSimulator judges with the simulator alone. It uses a fifth of the seeds, because the
// simulator has already watched the same cases beside the driver. For one seed,
// internal/authoring does the same in make test.
func TestZooInTheSimulator(t *testing.T) { visitAll(t, shader.Simulated, seeds{10, 1}) }
