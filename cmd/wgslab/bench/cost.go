package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A CostReport compares the counted bounds of shaders with the times that an adapter takes.
type CostReport struct {
	Adapter string         `json:"adapter"`
	Device  cost.GPU       `json:"device"` // for which the bounds are
	Known   bool           `json:"known"`  // the table has the adapter; if not, the device is another
	Shaders []CostedShader `json:"shaders"`
	Rungs   Agreement      `json:"rungs"`    // of the ladder
	Each    Agreement      `json:"per_task"` // of the shaders of one task with each other
	All     Agreement      `json:"all"`
}

// A CostedShader is a right shader with its counted bound and its measured time.
type CostedShader struct {
	Task     string             `json:"task"`
	Name     string             `json:"name"`
	Case     string             `json:"case"`
	Bound    *cost.LowerBound   `json:"bound,omitempty"`
	Measured float64            `json:"measured_seconds"`  // 0 if it did not run
	Counting float64            `json:"counting_seconds"`  // on this machine
	Problem  string             `json:"problem,omitempty"` // why it has no bound or no time
	Report   *cost.DispatchCost `json:"report,omitempty"`

	source   *shader.Source
	dispatch shader.Dispatch
}

// An Agreement says how well the bounds foretell the times.
type Agreement struct {
	Shaders  int     `json:"shaders"`
	Spearman float64 `json:"spearman"` // rank correlation of times and bounds without overlap; 0 if there are fewer than three shaders
	Pairs    int     `json:"pairs"`    // in which one bound is at least twice the other
	Agree    int     `json:"agree"`    // of these, those in which the same shader is slower
	Share    float64 `json:"share"`
}

// CostOptions choose what RunCost compares.
type CostOptions struct {
	N        int // the size of the ladder's matrices; 0 for one that suits the adapter
	Progress func(step string)
}

// compared are the tasks of the course whose right shaders differ in cost. Those of the lessons
// beyond the eight come on top.
var compareCost = []string{"matmul", "matmul-tiled", "row-max", "softmax", "linear"}

// stepsOfARung are more than a workgroup of the ladder takes at its largest size.
const stepsOfARung = 2_000_000_000

// RunCost counts and times all right shaders of some exercises and the rungs of the ladder. If the
// device is lost, the report holds the shaders before.
func RunCost(ctx context.Context, o CostOptions) (*CostReport, error) {
	device, err := gpu.Open(gpu.WithDeadline(time.Minute))
	if err != nil {
		return nil, err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	report := &CostReport{Adapter: device.Adapter().String()}
	if report.Device, report.Known = cost.DeviceOf(device.Adapter().Name); !report.Known {
		if report.Device, err = cost.FindDevice(cost.Usual); err != nil {
			return nil, err
		}
	}
	all, err := costShaders(device.Adapter().Kind, o.N)
	if err != nil {
		return nil, err
	}
	err = forEach(all, o.Progress, "counting ", func(s *CostedShader) error { return s.count(ctx, report.Device) })
	// Twice, and one after the other: a GPU that waits for the counting slows down.
	for range 2 {
		if err == nil {
			err = forEach(all, o.Progress, "timing ", func(s *CostedShader) error { return s.measure(ctx, device) })
		}
	}
	for _, s := range all {
		report.Shaders = append(report.Shaders, *s)
	}
	report.agree()
	return report, err
}

func forEach(all []*CostedShader, progress func(string), step string, do func(*CostedShader) error) error {
	for _, s := range all {
		progress(step + s.Task + "/" + s.Name)
		if err := do(s); err != nil {
			return fmt.Errorf("%s%s/%s: %w", step, s.Task, s.Name, err)
		}
	}
	return nil
}

// ladderTask is the task of the rungs.
const ladderTask = "ladder"

func costShaders(kind shader.AdapterKind, n int) (all []*CostedShader, err error) {
	for _, exercise := range course.OfTheCourse() {
		if exercise.IsBeyond() || slices.Contains(compareCost, exercise.ID) {
			some, err := rightShaders(exercise)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
	}
	if n == 0 {
		n = map[shader.AdapterKind]int{shader.GPU: 2048, shader.CPU: 256, shader.Simulated: 64}[kind]
	}
	for _, rung := range ladder.Rungs {
		text, err := rung.Source()
		if err != nil {
			return nil, err
		}
		s := &CostedShader{Task: ladderTask, Name: rung.Name, Case: fmt.Sprintf("%d × %d times %d × %d", n, n, n, n), source: shader.Read(rung.Name, text)}
		if s.dispatch, err = ladder.Product(s.source, n); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// rightShaders returns the reference of an exercise and its other right shaders, on the large case.
func rightShaders(exercise *course.Exercise) (all []*CostedShader, err error) {
	large, there := exercise.DrawLarge(1)
	if !there {
		return nil, nil
	}
	reference, err := exercise.Reference()
	if err != nil {
		return nil, err
	}
	right, err := exercise.Right()
	if err != nil {
		return nil, err
	}
	for _, source := range append([]*shader.Source{reference}, right...) {
		s := &CostedShader{Task: exercise.ID, Name: strings.TrimSuffix(source.Name, ".wgsl"), Case: large.Name, source: source}
		if s.dispatch, err = exercise.Dispatched(large, source); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// count gives a shader its bound. What is wrong with the shader goes to its problem.
func (s *CostedShader) count(ctx context.Context, on cost.GPU) error {
	started := time.Now()
	report, err := cost.Of(ctx, s.source, s.dispatch, cost.Options{Steps: stepsOfARung})
	s.Counting = time.Since(started).Seconds()
	if err != nil {
		s.Problem = "counting: " + err.Error()
		return ctx.Err()
	}
	report.Lines = nil // the totals are what a model needs
	bound := report.On(on)
	s.Report, s.Bound = report, &bound
	return nil
}

// measure times a shader, and keeps its best time. An error means that no shader can run any more.
func (s *CostedShader) measure(ctx context.Context, device *gpu.Device) error {
	if s.Problem != "" {
		return nil
	}
	took, err := ladder.TimeDispatch(device, s.source, s.dispatch)
	if err == nil {
		if s.Measured == 0 || took < s.Measured {
			s.Measured = took
		}
		return nil
	}
	s.Measured, s.Problem = 0, "timing: "+err.Error()
	if errors.Is(err, shader.ErrLost) || errors.As(err, new(*shader.DeadlineError)) || ctx.Err() != nil {
		return err
	}
	return nil
}

// agree compares bounds and times.
func (r *CostReport) agree() {
	whole := func(s CostedShader) bool { return s.Measured > 0 && s.Bound != nil }
	var all, rungs []CostedShader
	tasks := map[string][]CostedShader{}
	for _, s := range r.Shaders {
		if whole(s) {
			all, tasks[s.Task] = append(all, s), append(tasks[s.Task], s)
		}
	}
	rungs = tasks[ladderTask]
	r.All, r.Rungs, r.Each = agreement(all), agreement(rungs), Agreement{Shaders: len(all)}
	for _, some := range tasks {
		of := agreement(some)
		r.Each.Pairs += of.Pairs
		r.Each.Agree += of.Agree
		r.Each.Spearman += of.Spearman * float64(of.Shaders) / float64(len(all)) // the mean of the tasks
	}
	r.Each.Share = share(r.Each.Agree, r.Each.Pairs)
}

func agreement(shaders []CostedShader) Agreement {
	a := Agreement{Shaders: len(shaders)}
	bounds, times := make([]float64, len(shaders)), make([]float64, len(shaders))
	for i, s := range shaders {
		bounds[i], times[i] = s.Bound.Serial, s.Measured
		for _, other := range shaders[:i] {
			low, high := s, other
			if low.Bound.Seconds > high.Bound.Seconds {
				low, high = high, low
			}
			const clearly = 2
			if high.Bound.Seconds >= clearly*low.Bound.Seconds {
				a.Pairs++
				if high.Measured > low.Measured {
					a.Agree++
				}
			}
		}
	}
	a.Spearman, a.Share = spearman(bounds, times), share(a.Agree, a.Pairs)
	return a
}

func share(some, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(some) / float64(all)
}

// spearman returns the rank correlation of two lists: the correlation of their ranks, those of
// equal values being their mean. It returns 0 for fewer than three values.
func spearman(x, y []float64) float64 {
	if len(x) < 3 {
		return 0
	}
	a, b := ranks(x), ranks(y)
	mean := float64(len(x)+1) / 2
	var both, ofA, ofB float64
	for i := range a {
		both += (a[i] - mean) * (b[i] - mean)
		ofA += (a[i] - mean) * (a[i] - mean)
		ofB += (b[i] - mean) * (b[i] - mean)
	}
	if ofA == 0 || ofB == 0 {
		return 0
	}
	return both / math.Sqrt(ofA*ofB)
}

// ranks returns the rank of each value, from 1.
func ranks(values []float64) []float64 {
	ranks := make([]float64, len(values))
	for i, v := range values {
		below, same := 0, 0
		for _, w := range values {
			if w < v {
				below++
			}
			if w == v {
				same++
			}
		}
		ranks[i] = float64(below) + float64(same+1)/2
	}
	return ranks
}

// Table prints the report for people.
func (r *CostReport) Table(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s. The bounds are for %s.\n", r.Adapter, r.Device.Title)
	if !r.Known {
		b.WriteString("The table of devices doesn't have this adapter: only the order of the bounds can agree.\n")
	}
	var problems []string
	rows := [][]string{{"TASK", "SHADER", "AT LEAST", "LIMITED BY", "WITHOUT OVERLAP", "MEASURED", "TIMES THE BOUND", "COUNTED IN"}}
	for _, s := range r.Shaders {
		row := []string{s.Task, s.Name, "-", "-", "-", "-", "-", fmt.Sprintf("%.0f ms", 1e3*s.Counting)}
		if s.Bound != nil {
			row[2], row[3], row[4] = cost.Duration(s.Bound.Seconds), s.Bound.Limits[0].Name, cost.Duration(s.Bound.Serial)
		}
		if s.Measured > 0 {
			row[5], row[6] = cost.Duration(s.Measured), fmt.Sprintf("%.1f", s.Measured/s.Bound.Seconds)
		}
		if s.Problem != "" {
			row[6] = "see below"
			problems = append(problems, fmt.Sprintf("%s, %s: %s\n", s.Task, s.Name, plaintext.OneLine(s.Problem)))
		}
		rows = append(rows, row)
	}
	b.WriteString("\n")
	plaintext.Columns(&b, rows, 0)
	b.WriteString("\n" + strings.Join(problems, ""))
	if len(problems) > 0 {
		b.WriteString("\n")
	}
	agreements := [][]string{{"AGREEMENT", "SHADERS", "RANK CORRELATION", "PAIRS APART BY 2 OR MORE", "AGREE"}}
	for _, a := range []struct {
		name string
		Agreement
	}{{"rungs of the ladder", r.Rungs}, {"within each task", r.Each}, {"all", r.All}} {
		agreements = append(agreements, []string{
			a.name, fmt.Sprint(a.Shaders), fmt.Sprintf("%.3f", a.Spearman), fmt.Sprint(a.Pairs), fmt.Sprintf("%.1f %%", 100*a.Share),
		})
	}
	plaintext.Columns(&b, agreements, 0)
	_, err := io.WriteString(w, b.String())
	return err
}
