package bench

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// Simulated is the speed of the simulator on one core, in millions of operations a second. An
// operation is an arithmetic operation, a comparison or an increment of WGSL.
type Simulated struct {
	Unwatched float64 `json:"unwatched_mops"`
	Watched   float64 `json:"watched_mops"`

	Compiled []CompiledRun `json:"compiled"`
}

// A CompiledRun is the largest case of an exercise's reference on one core, in milliseconds of the
// processor: in the interpreter, as machine code, and as machine code that is compiled already.
type CompiledRun struct {
	Exercise    string  `json:"exercise"`
	Watched     bool    `json:"watched"`
	Steps       uint64  `json:"steps"`
	Interpreted float64 `json:"interpreted_ms"`
	First       float64 `json:"first_ms"`
	Later       float64 `json:"later_ms"`
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
	if err != nil {
		return nil, err
	}
	measured := &Simulated{Unwatched: unwatched, Watched: watched}
	for _, e := range course.All() {
		runs, err := measureCompiled(ctx, o, e)
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", e.ID, err)
		}
		measured.Compiled = append(measured.Compiled, runs...)
	}
	return measured, nil
}

// leastSteps is how many steps a case takes at least to count.
const leastSteps = 1_000_000

// measureCompiled measures an exercise's reference; it returns nothing if no case is large enough.
func measureCompiled(ctx context.Context, o Options, e *course.Exercise) (runs []CompiledRun, err error) {
	if e.IsOnHost() {
		return nil, nil
	}
	c, ok := e.DrawLarge(1)
	if !ok {
		return nil, nil
	}
	source, err := e.Reference()
	if err != nil {
		return nil, err
	}
	o.Progress("the simulator: " + e.ID)
	for _, watched := range []bool{false, true} {
		run := CompiledRun{Exercise: e.ID, Watched: watched}
		for _, way := range []struct {
			compile sim.Compile
			takes   *float64
		}{{sim.Never, &run.Interpreted}, {sim.Always, &run.First}, {sim.Always, &run.Later}} {
			if *way.takes, run.Steps, err = timeReference(ctx, e, c, source, way.compile, watched); err != nil {
				return nil, err
			}
		}
		if run.Steps >= leastSteps {
			runs = append(runs, run)
		}
	}
	return runs, nil
}

func timeReference(ctx context.Context, e *course.Exercise, c course.Case, source *shader.Source, way sim.Compile, watched bool) (ms float64, steps uint64, err error) {
	program, err := e.Compile(ctx, simulator.New(simulator.Options{Compile: way, Cores: 1, Watched: sim.DefaultSteps}), source)
	if err != nil {
		return 0, 0, err
	}
	d, err := e.Dispatched(c, source)
	if err != nil {
		return 0, 0, err
	}
	d.Watch = watched
	before, known := usage.OfProcess()
	started := time.Now()
	result, err := program.Run(ctx, d)
	took := time.Since(started)
	if known {
		after, _ := usage.OfProcess()
		took = after - before
	}
	return took.Seconds() * 1e3, result.Steps, err
}

// timesFaster returns how many times as fast compiled code is in the median, the compilation
// included and not.
func (s *Simulated) timesFaster(watched bool) (first, later float64, n int) {
	var firsts, laters []float64
	for _, r := range s.Compiled {
		if r.Watched == watched {
			firsts, laters = append(firsts, r.Interpreted/r.First), append(laters, r.Interpreted/r.Later)
		}
	}
	if len(firsts) == 0 {
		return 0, 0, 0
	}
	return median(firsts), median(laters), len(firsts)
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

// table shows how many times as fast machine code is, for the median of all exercises.
func (s *Simulated) table() [][]string {
	rows := [][]string{{"MACHINE CODE / INTERPRETER, IN THE MEDIAN", "REFERENCES", "WITH COMPILING", "COMPILED BEFORE"}}
	for _, watched := range []bool{false, true} {
		first, later, n := s.timesFaster(watched)
		name := "not watching"
		if watched {
			name = "watching"
		}
		rows = append(rows, []string{name, strconv.Itoa(n), fmt.Sprintf("%.1f times", first), fmt.Sprintf("%.1f times", later)})
	}
	return rows
}

// againstGoal compares a speed with its goal.
func againstGoal(speed, goal float64) string {
	if speed >= goal {
		return fmt.Sprintf("at least %.0f: met", goal)
	}
	return fmt.Sprintf("at least %.0f: NOT MET", goal)
}
