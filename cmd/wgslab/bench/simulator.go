package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// Simulated is the speed of the simulator on one core, in millions of operations a second. An
// operation is an arithmetic operation, a comparison or an increment of WGSL.
type Simulated struct {
	Unwatched float64 `json:"unwatched_mops"`
	Watched   float64 `json:"watched_mops"`
}

// The simulator's goals on one core, in millions of operations a second.
const (
	unwatchedGoal = 100
	watchedGoal   = 40
)

// simulated is the shader to measure: 256 invocations, each with 10,000 rounds of six operations.
const (
	simulated = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  for (var i = 0u; i < 10000u; i++) { x = (x ^ (x >> 3u)) * 747796405u + i; }
  out[id.x] = x;
}`
	simulatedOperations = 256 * 10_000 * 6
)

// measureSimulator returns the median of the rounds.
func measureSimulator(ctx context.Context, o Options) (*Simulated, error) {
	o.Progress("the simulator")
	program, err := sim.CompileEntry(shader.Read("bench.wgsl", simulated), nil, false)
	if err != nil {
		return nil, err
	}
	unwatched, err := timeSimulator(ctx, o, program, false)
	if err != nil {
		return nil, err
	}
	watched, err := timeSimulator(ctx, o, program, true)
	return &Simulated{Unwatched: unwatched, Watched: watched}, err
}

func timeSimulator(ctx context.Context, o Options, program *sim.Program, watch bool) (float64, error) {
	speeds := make([]float64, max(o.Rounds, 1))
	for i := range speeds {
		buffer := sim.BoundBuffer{Data: make([]byte, 4*256)}
		started := time.Now()
		if _, err := program.Run(ctx, [3]uint32{4, 1, 1}, []sim.BoundBuffer{buffer}, sim.Options{Watch: watch, Cores: 1}); err != nil {
			return 0, err
		}
		speeds[i] = simulatedOperations / time.Since(started).Seconds() / 1e6
	}
	return median(speeds), nil
}

// againstGoal compares a speed with its goal.
func againstGoal(speed, goal float64) string {
	if speed >= goal {
		return fmt.Sprintf("at least %.0f: met", goal)
	}
	return fmt.Sprintf("at least %.0f: NOT MET", goal)
}
