// Package bench measures how long a learner waits for a cell, for a check and for the network.
package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// A Measurements is one run of all measurements, on one machine.
type Measurements struct {
	Adapter string         `json:"adapter"`
	Time    string         `json:"time"` // RFC 3339
	Load    string         `json:"load"` // of the machine before: the averages of 1, 5 and 15 minutes; "" where the system has none
	Remark  string         `json:"remark"`
	Waits   []MeasuredWait `json:"waits"`
	Ratios  []Ratio        `json:"ratios"`
	Forward []Images       `json:"forward"`
	Grading *GradingTime   `json:"grading,omitempty"` // nil if no class was graded

	Simulator *Simulated `json:"simulator"`
}

// A MeasuredWait is the duration of one thing.
type MeasuredWait struct {
	Name   string    `json:"name"`
	Median float64   `json:"median_s"` // seconds
	Runs   []float64 `json:"runs_s"`   // seconds, in the order of the runs
}

// A Ratio compares one median with another of the same run.
type Ratio struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Bound float64 `json:"bound"` // 0 means none: the report only shows the ratio
}

// verdict says whether the ratio is within its bound.
func (r Ratio) verdict() string {
	switch {
	case r.Bound == 0:
		return "no bound"
	case r.Value <= r.Bound:
		return fmt.Sprintf("at most %.2g: met", r.Bound)
	}
	return fmt.Sprintf("at most %.2g: NOT MET", r.Bound)
}

// Images is the speed of the forward pass at one batch size, including readback.
type Images struct {
	Batch     int     `json:"batch"`
	PerSecond float64 `json:"images_per_second"`
	Median    float64 `json:"median_s"` // seconds for one batch
}

// Options selects the programs to measure and the number of rounds.
type Options struct {
	Root     string // the clone: kernel spec, weights
	Program  string // the wgslab executable
	Rounds   int    // how often to measure each thing
	Students int    // in the class that is graded; 0 grades none
	Progress func(step string)
}

// Upper bounds on waits, as ratios to the cell that builds nothing.
const (
	unchangedBound = 1.5
	newCellBound   = 4

	// Upper bounds on the check of a shader with new text: as ratios to the same check in GoNB
	// alone, and to the bare run of such a shader from Python.
	newOverGoNB   = 0.35
	newOverPython = 1
)

// Run measures everything.
func Run(ctx context.Context, o Options) (*Measurements, error) {
	report := &Measurements{Time: time.Now().UTC().Format(time.RFC3339), Load: load()}
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
	if o.Students > 0 {
		if report.Grading, err = measureGrading(ctx, o); err != nil {
			return nil, fmt.Errorf("measuring grading: %w", err)
		}
	}
	return report, nil
}

// load returns the load of the machine, if the system reports it.
func load() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(raw)); err == nil && len(fields) >= 3 {
		return strings.Join(fields[:3], " ")
	}
	return ""
}

func wait(name string, runs []float64) MeasuredWait { return MeasuredWait{name, median(runs), runs} }

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// Table prints the report for people.
func (r *Measurements) Table(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "on %s, load %s\n", r.Adapter, cmp.Or(r.Load, "unknown"))
	section := func(rows [][]string) {
		b.WriteString("\n")
		plaintext.Columns(&b, rows, 0)
	}
	waits := [][]string{{"A LEARNER WAITS FOR", "MEDIAN", "FROM … TO"}}
	for _, m := range r.Waits {
		waits = append(waits, []string{m.Name, fmt.Sprintf("%.3f s", m.Median), fmt.Sprintf("%.3f … %.3f s", slices.Min(m.Runs), slices.Max(m.Runs))})
	}
	section(waits)
	ratios := [][]string{{"RATIO", "MEASURED", "BOUND"}}
	for _, ratio := range r.Ratios {
		ratios = append(ratios, []string{ratio.Name, fmt.Sprintf("%.2f", ratio.Value), ratio.verdict()})
	}
	section(ratios)
	batches := [][]string{{"FORWARD PASS, BATCH OF", "IMAGES/S", "ONE BATCH"}}
	for _, f := range r.Forward {
		batches = append(batches, []string{strconv.Itoa(f.Batch), fmt.Sprintf("%.0f", f.PerSecond), fmt.Sprintf("%.2f ms", 1000*f.Median)})
	}
	section(batches)
	if r.Remark != "" {
		b.WriteString("\n" + r.Remark + "\n")
	}
	section([][]string{
		{"SIMULATOR, ON ONE CORE", "MILLION OPERATIONS/S", "GOAL"},
		{"not watching", fmt.Sprintf("%.0f", r.Simulator.Unwatched), againstGoal(r.Simulator.Unwatched, unwatchedGoal)},
		{"watching", fmt.Sprintf("%.0f", r.Simulator.Watched), againstGoal(r.Simulator.Watched, watchedGoal)},
	})
	section(r.Simulator.table())
	if g := r.Grading; g != nil {
		section([][]string{
			{"GRADING", "MEASURED", "BOUND"},
			{fmt.Sprintf("wgslab grade, %d students, %d shaders", g.Students, g.Shaders), fmt.Sprintf("%.1f s", g.Seconds), Ratio{Value: g.Seconds, Bound: g.Bound}.verdict()},
			{fmt.Sprintf("peak memory, for %d and for %d students", g.Students, g.Tenth), fmt.Sprintf("%.0f and %.0f MiB", g.PeakMiB, g.PeakTenthMiB), "no bound"},
			{"nbgrader autograde, one of them", fmt.Sprintf("%.1f s", g.NbgraderSeconds), "no bound"},
			{"nbgrader / wgslab grade, for one student", fmt.Sprintf("%.0f", g.NbgraderSeconds/(g.Seconds/float64(g.Students))), "no bound"},
		})
	}
	_, err := io.WriteString(w, b.String())
	return err
}
