// Package bench measures how long a learner waits: for a cell, for a check, for
// the network.
package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A Report is one run of all measurements, on one machine.
type Report struct {
	Adapter string   `json:"adapter"`
	Time    string   `json:"time"` // RFC 3339
	Load    string   `json:"load"` // of the machine before: the averages of 1, 5 and 15 minutes; "" where the system has none
	Remark  string   `json:"remark"`
	Waits   []Wait   `json:"waits"`
	Ratios  []Ratio  `json:"ratios"`
	Forward []Images `json:"forward"`
	Grading *Grading `json:"grading"`

	Simulator *Simulated `json:"simulator"`
}

// A Wait is how long one thing takes.
type Wait struct {
	Name   string    `json:"name"`
	Median float64   `json:"median_s"` // seconds
	Runs   []float64 `json:"runs_s"`   // seconds, in the order of the runs
}

// A Ratio holds one median against another of the same run.
type Ratio struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Bound float64 `json:"bound"` // 0 for none: the ratio is only shown
}

// verdict is how the ratio stands to its bound.
func (r Ratio) verdict() string {
	switch {
	case r.Bound == 0:
		return "no bound"
	case r.Value <= r.Bound:
		return fmt.Sprintf("at most %.2g: met", r.Bound)
	}
	return fmt.Sprintf("at most %.2g: NOT MET", r.Bound)
}

// Images is how fast the forward pass is at one batch size, readback included.
type Images struct {
	Batch     int     `json:"batch"`
	PerSecond float64 `json:"images_per_second"`
	Median    float64 `json:"median_s"` // seconds for one batch
}

// Options say what to measure with.
type Options struct {
	Root     string // the clone: kernel spec, weights
	Program  string // the wgslab executable
	Rounds   int    // how often each thing is measured
	Progress func(step string)
}

// Bounds on the waits, as ratios to the cell that builds nothing.
const (
	unchangedBound = 1.5
	newCellBound   = 4

	// On the check of a shader whose text is new, here, as ratios to the same in GoNB
	// alone, and to the bare run of such a shader from Python.
	newOverGoNB   = 0.35
	newOverPython = 1
)

// Run measures everything.
func Run(ctx context.Context, o Options) (*Report, error) {
	report := &Report{Time: time.Now().UTC().Format(time.RFC3339), Load: load()}
	kernels, ratios, remark, err := compareKernels(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("comparing kernels: %w", err)
	}
	report.Remark = remark
	cells, err := measureCells(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("measuring cells: %w", err)
	}
	checks, err := measureChecks(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("measuring wgslab check: %w", err)
	}
	report.Waits = slices.Concat(cells, checks, kernels)
	plain, again, gpu, unchanged := cells[0].Median, cells[1].Median, cells[2].Median, cells[3].Median
	report.Ratios = append(ratios, []Ratio{
		{"unchanged check cell / cell that builds nothing", unchanged / plain, unchangedBound},
		{"new GPU cell / cell that builds nothing", gpu / plain, newCellBound},
		{"unchanged check cell / unchanged plain cell", unchanged / again, 0},
	}...)
	if report.Adapter, report.Forward, err = measureForward(ctx, o); err != nil {
		return nil, fmt.Errorf("measuring the forward pass: %w", err)
	}
	if report.Simulator, err = measureSimulator(ctx, o); err != nil {
		return nil, fmt.Errorf("measuring the simulator: %w", err)
	}
	if report.Grading, err = measureGrading(ctx, o); err != nil {
		return nil, fmt.Errorf("measuring grading: %w", err)
	}
	return report, nil
}

// load is how busy the machine is, where the system says it.
func load() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(raw)); err == nil && len(fields) >= 3 {
		return strings.Join(fields[:3], " ")
	}
	return ""
}

func wait(name string, runs []float64) Wait { return Wait{name, median(runs), runs} }

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// Table prints the report for people.
func (r *Report) Table(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "on %s, load %s\n\nA LEARNER WAITS FOR\tMEDIAN\tFROM … TO\n", r.Adapter, cmp.Or(r.Load, "unknown"))
	for _, m := range r.Waits {
		fmt.Fprintf(table, "%s\t%.3f s\t%.3f … %.3f s\n", m.Name, m.Median, slices.Min(m.Runs), slices.Max(m.Runs))
	}
	fmt.Fprintf(table, "\nRATIO\tMEASURED\tBOUND\n")
	for _, ratio := range r.Ratios {
		fmt.Fprintf(table, "%s\t%.2f\t%s\n", ratio.Name, ratio.Value, ratio.verdict())
	}
	fmt.Fprintf(table, "\nFORWARD PASS, BATCH OF\tIMAGES/S\tONE BATCH\n")
	for _, f := range r.Forward {
		fmt.Fprintf(table, "%d\t%.0f\t%.2f ms\n", f.Batch, f.PerSecond, 1000*f.Median)
	}
	if r.Remark != "" {
		fmt.Fprintf(table, "\n%s\n", r.Remark)
	}
	fmt.Fprintf(table, "\nSIMULATOR, ON ONE CORE\tMILLION OPERATIONS/S\tGOAL\n")
	fmt.Fprintf(table, "not watching\t%.0f\t%s\n", r.Simulator.Unwatched, againstGoal(r.Simulator.Unwatched, unwatchedGoal))
	fmt.Fprintf(table, "watching\t%.0f\t%s\n", r.Simulator.Watched, againstGoal(r.Simulator.Watched, watchedGoal))
	g := r.Grading
	perStudent := g.Seconds / float64(g.Students)
	fmt.Fprintf(table, "\nGRADING\tMEASURED\tBOUND\n")
	fmt.Fprintf(table, "wgslab grade, %d students, %d shaders\t%.1f s\t%s\n", g.Students, g.Shaders, g.Seconds, Ratio{Value: g.Seconds, Bound: g.Bound}.verdict())
	fmt.Fprintf(table, "its own memory, for %d and for %d students\t%.0f and %.0f MiB\tno bound\n", g.Students, g.Students/10, g.PeakMiB, g.PeakTenthMiB)
	fmt.Fprintf(table, "nbgrader autograde, one of them\t%.1f s\tno bound\n", g.NbgraderSeconds)
	fmt.Fprintf(table, "nbgrader / wgslab grade, for one student\t%.0f\tno bound\n", g.NbgraderSeconds/perStudent)
	return table.Flush()
}
