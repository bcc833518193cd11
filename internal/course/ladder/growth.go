package ladder

import (
	"fmt"
	"slices"
	"time"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// Growth holds the speed of three matmul shaders as their matrices grow. Lesson 3 plots it.
type Growth struct {
	Adapter                 string
	N                       []float32 // the matrices are n × n
	Yours, Reference, Tiled []float32 // GFLOP/s for each n
}

// The bounds of Grow's measurements.
const (
	growFrom, growTo = 32, 2048
	growPatience     = 50 * time.Millisecond
	growRuns         = 5
)

// Grow times yours, the reference matmul and matmul-tiled for n = 32, 64 and so on. It stops when
// one product of n × n matrices takes 50 ms, or when n is 2,048. The fastest of five runs counts,
// because other load can only slow a run down. It calls step at the beginning of each part.
func Grow(device *gpu.Device, yours string, step func(part string)) (*Growth, error) {
	reference, err := exercises.Reference("matmul")
	if err != nil {
		return nil, err
	}
	tiled, err := exercises.Reference("matmul-tiled")
	if err != nil {
		return nil, err
	}
	g := &Growth{Adapter: device.Adapter().Name}
	entries := []Entry{{"matmul", yours}, {"reference", reference}, {"tiled", tiled}}
	for n, slowest := growFrom, time.Duration(0); n <= growTo && slowest < growPatience; n *= 2 {
		var speeds [3]float32
		step(fmt.Sprintf("n = %d", n))
		if slowest, err = growOnce(device, n, entries, speeds[:]); err != nil {
			return nil, err
		}
		g.N = append(g.N, float32(n))
		g.Yours, g.Reference, g.Tiled = append(g.Yours, speeds[0]), append(g.Reference, speeds[1]), append(g.Tiled, speeds[2])
	}
	return g, nil
}

// growOnce times the entries for one n, and returns the slowest time.
func growOnce(device *gpu.Device, n int, entries []Entry, gflops []float32) (slowest time.Duration, err error) {
	arena, err := newArena(device, n)
	if err != nil {
		return 0, err
	}
	defer arena.free()
	for i, e := range entries {
		err := arena.with(e, func(pass gpu.Pass) error {
			var times [growRuns]time.Duration
			for run := range times {
				took, err := timed(device, []gpu.Pass{pass})
				if err != nil {
					return err
				}
				times[run] = took[0]
			}
			took := max(slices.Min(times[:]), 1)
			slowest = max(slowest, took)
			gflops[i] = float32(operations(n, n, n) / took.Seconds() / 1e9)
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return slowest, nil
}
