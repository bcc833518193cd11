package simulator_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

func cpu() float64 {
	var u unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// ZZ=softmax/sum-of-all
func TestZZ(t *testing.T) {
	id, slug, _ := strings.Cut(os.Getenv("ZZ"), "/")
	e, err := course.Find(id)
	require.NoError(t, err)
	r, err := e.Reference()
	require.NoError(t, err)
	source := r
	if slug != "" {
		ms, _ := e.Misconceptions()
		module, _ := r.Module()
		entry, _ := module.Entry(e.Entry)
		for _, m := range ms {
			if m.Slug == slug || strings.Contains(m.Slug, slug) {
				source, _ = m.In(entry.WorkgroupSize)
			}
		}
	}
	for i, c := range e.Draw(1) {
		for _, watch := range []bool{false, true} {
			line := fmt.Sprintf("case %d watch %v: ", i, watch)
			for _, way := range []sim.Compile{sim.Never, sim.Always, sim.Always} {
				program, err := e.Compile(t.Context(), simulator.New(simulator.Options{Compile: way, Cores: 1, Steps: 20_000_000}), source)
				require.NoError(t, err)
				d, err := e.Dispatched(c, source)
				require.NoError(t, err)
				d.Watch = watch
				t0 := cpu()
				var res shader.Result
				res, _ = program.Run(t.Context(), d)
				line += fmt.Sprintf(" %.2f ms (%d steps)", cpu()-t0, res.Steps)
			}
			fmt.Println(line)
		}
	}
}

func TestZLarge(t *testing.T) {
	for _, e := range course.All() {
		if e.IsOnHost() {
			continue
		}
		r, err := e.Reference()
		require.NoError(t, err)
		c, ok := e.DrawLarge(1)
		if !ok {
			continue
		}
		line := fmt.Sprintf("%-20s", e.ID)
		for _, watch := range []bool{false, true} {
			var ms [3]float64
			for i, way := range []sim.Compile{sim.Never, sim.Always, sim.Always} {
				program, err := e.Compile(t.Context(), simulator.New(simulator.Options{Compile: way, Cores: 1, Steps: 2_000_000_000, Watched: 300_000_000}), r)
				require.NoError(t, err)
				d, err := e.Dispatched(c, r)
				require.NoError(t, err)
				d.Watch = watch
				t0 := cpu()
				res, err := program.Run(t.Context(), d)
				require.NoError(t, err)
				ms[i] = cpu() - t0
				if i == 0 {
					line += fmt.Sprintf(" %10d steps", res.Steps)
				}
			}
			line += fmt.Sprintf(" %8.1f %8.1f %8.1f ms %5.1fx %5.1fx", ms[0], ms[1], ms[2], ms[0]/ms[1], ms[0]/ms[2])
		}
		fmt.Println(line)
	}
}
