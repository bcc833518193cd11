package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Simulated is how fast the simulator is on one core, in millions of operations a second: what WGSL writes, so
// arithmetic, comparisons and increments.
type Simulated struct {
	Unwatched float64 `json:"unwatched_mops"`
	Watched   float64 `json:"watched_mops"`
}

// What the simulator is to reach on one core, in millions of operations a second.
const (
	unwatchedGoal = 100
	watchedGoal   = 40
)

// simulated is what is measured: 256 invocations, 10,000 rounds of six operations each.
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

// measureSimulator gives the median of the rounds.
func measureSimulator(ctx context.Context, o Options) (*Simulated, error) {
	o.Progress("the simulator")
	source := syntax.NewSource("bench.wgsl", simulated)
	info, found := sim.Analyse(source, types.UsualFeatures)
	if syntax.HasErrors(found) {
		return nil, fmt.Errorf("reading the shader: %s", found[0].Message)
	}
	pipeline, found := info.Pipeline(info.Entry("main"), nil)
	if syntax.HasErrors(found) {
		return nil, fmt.Errorf("making its pipeline: %s", found[0].Message)
	}
	program, err := sim.Compile(pipeline, false)
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
		buffer := sim.Buffer{Data: make([]byte, 4*256)}
		started := time.Now()
		if _, err := program.Run(ctx, [3]uint32{4, 1, 1}, []sim.Buffer{buffer}, sim.Options{Watch: watch, Cores: 1}); err != nil {
			return 0, err
		}
		speeds[i] = simulatedOperations / time.Since(started).Seconds() / 1e6
	}
	return median(speeds), nil
}

// againstGoal is how a speed stands to what it is to reach.
func againstGoal(speed, goal float64) string {
	if speed >= goal {
		return fmt.Sprintf("at least %.0f: met", goal)
	}
	return fmt.Sprintf("at least %.0f: NOT MET", goal)
}
