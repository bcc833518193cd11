// Package forward checks lesson 6's host exercise, a Go function that runs the network's
// four passes.
package forward

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/tolerance"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/ownshaders"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/judge/progress"
	"github.com/wgslab/wgslab/internal/judge/session"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/view"
)

// Layers holds what the learner's function works with: pipelines, and buffers that are already on
// the device. A pipeline takes its buffers in the order of the exercise with its name.
type Layers struct {
	Device *gpu.Device

	Linear  *gpu.Pipeline // dims, x, w, bias, out
	Relu    *gpu.Pipeline // data
	Softmax *gpu.Pipeline // dims, data

	Rows int // images

	Dims1 *gpu.Buffer // m = Rows, n = 128, k = 784, for the first Linear
	Dims2 *gpu.Buffer // m = Rows, n = 10, k = 128, for the second
	Shape *gpu.Buffer // rows = Rows, cols = 10, for Softmax

	X, W1, B1, W2, B2 *gpu.Buffer // the images and the weights
	Hidden            *gpu.Buffer // Rows × 128: the first layer's output
	Out               *gpu.Buffer // Rows × 10: the network's output
}

// forwardRows lists the number of images in each case.
var forwardRows = []int{1, 7, 100}

// Check checks the learner's function, which records four passes and submits them at once. It
// records the try. It returns the views for the cell and whether the function is right.
func Check(forward func(Layers) error) (shown []view.View, passed bool) {
	device, err := gpu.Open()
	if err != nil {
		return []view.View{session.CouldNotRun(err)}, false
	}
	v, whose, err := check(device, forward, judge.FreshSeed())
	device.Close()
	if err != nil {
		return []view.View{session.CouldNotRun(err)}, false
	}
	shown = []view.View{v, whose}
	if note := session.Record(progress.TryOf(v, "")); note != nil {
		shown = append(shown, note)
	}
	return shown, v.Passed()
}

// check also returns a card that says whose shaders ran.
func check(device *gpu.Device, forward func(Layers) error, seed uint64) (*verdict.Verdict, view.View, error) {
	started := time.Now()
	v := &verdict.Verdict{Exercise: course.Forward.ID, Adapter: device.Adapter().String(), Seed: seed, Cases: []verdict.CaseResult{}}
	pipelines, shaders, err := ownshaders.Pipelines(context.Background(), device, workdir.Dir, "linear", "relu", "softmax")
	if err != nil {
		return nil, nil, err
	}
	whose := ownshaders.Whose(shaders...)
	whose.Title = "The shaders used here"
	v.Pass("All three layers' values are right, in one submission per case and with no readback in between.")
	random := rand.New(rand.NewPCG(seed, network.Inputs))
	for _, rows := range forwardRows {
		t, err := newTrial(device, pipelines, random, rows)
		if err != nil {
			return nil, nil, err
		}
		result, wrong := t.run(forward)
		v.Cases = append(v.Cases, result)
		if wrong != nil {
			v.Fail(*wrong)
			break
		}
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return v, whose, nil
}

// A trial is one case: random images and weights, on the host and on the device.
type trial struct {
	layers            Layers
	x, w1, b1, w2, b2 []float32
}

func newTrial(device *gpu.Device, pipelines map[string]*gpu.Pipeline, random *rand.Rand, rows int) (*trial, error) {
	const inputs, hidden, outputs = network.Inputs, network.Hidden, network.Outputs
	t := &trial{
		x: normal(random, rows*inputs, 1), w1: normal(random, inputs*hidden, 1.0/28), b1: normal(random, hidden, 0.3),
		w2: normal(random, hidden*outputs, 0.2), b2: normal(random, outputs, 0.5),
	}
	var errs []error
	keep := func(b *gpu.Buffer, err error) *gpu.Buffer {
		errs = append(errs, err)
		return b
	}
	uniform := func(members ...any) *gpu.Buffer { return keep(gpu.Uniform(device, members...)) }
	array := func(values []float32) *gpu.Buffer { return keep(gpu.Upload(device, values)) }
	m := uint32(rows)
	t.layers = Layers{
		Device: device, Rows: rows,
		Linear: pipelines["linear"], Relu: pipelines["relu"], Softmax: pipelines["softmax"],
		Dims1: uniform(m, uint32(hidden), uint32(inputs)), Dims2: uniform(m, uint32(outputs), uint32(hidden)), Shape: uniform(m, uint32(outputs)),
		X: array(t.x), W1: array(t.w1), B1: array(t.b1), W2: array(t.w2), B2: array(t.b2),
		Hidden: array(course.Unwritten(rows * hidden).Floats()), Out: array(course.Unwritten(rows * outputs).Floats()),
	}
	return t, errors.Join(errs...)
}

func normal(random *rand.Rand, n int, spread float64) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64() * spread)
	}
	return values
}

// run calls the learner's function and judges the buffers afterwards.
func (t *trial) run(forward func(Layers) error) (verdict.CaseResult, *verdict.Diagnosis) {
	result := verdict.CaseResult{Name: fmt.Sprintf("rows = %d", t.layers.Rows)}
	before := t.layers.Device.Counts()
	err := forward(t.layers)
	if err == nil {
		err = t.layers.Device.Wait()
	}
	after := t.layers.Device.Counts()
	if err != nil {
		return result, &verdict.Diagnosis{Stage: verdict.StageRun, Message: english.Sentence("forward returned an error: " + err.Error())}
	}
	got, err := t.read()
	if err != nil {
		return result, &verdict.Diagnosis{Stage: verdict.StageRun, Message: english.Sentence(err.Error())}
	}
	wrong := t.diagnose(got, after.Submissions-before.Submissions, after.Readbacks-before.Readbacks)
	result.Pass = wrong == nil
	result.MaxAbsErr = verdict.JSONNumber(tolerance.Compare(got.out, t.wanted().out, tolerance.Tolerance{}).MaxAbs)
	return result, wrong
}

// values holds the three layers' values of one case.
type values struct{ hidden, logits, out []float32 }

func (t *trial) read() (values, error) {
	h, err := gpu.Read[float32](t.layers.Hidden)
	if err != nil {
		return values{}, err
	}
	o, err := gpu.Read[float32](t.layers.Out)
	return values{hidden: h, out: o}, err
}

// diagnose returns the first mistake it finds, or nil.
func (t *trial) diagnose(got values, submissions, readbacks int) *verdict.Diagnosis {
	want := t.wanted()
	allowed := tolerance.Tolerance{Absolute: 2e-4, Relative: 1e-4}
	right := func(got, want []float32) bool { return tolerance.Compare(got, want, allowed).Wrong == 0 }
	unwritten := func(x []float32) bool { return math.IsNaN(float64(x[0])) && math.IsNaN(float64(x[len(x)-1])) }
	switch {
	case submissions == 0:
		return &verdict.Diagnosis{Stage: verdict.StageRun, Slug: verdict.Stub, Message: "Nothing is written yet: nothing was submitted.",
			Ask: "The task: " + course.Forward.Task}
	case readbacks > 0:
		return &verdict.Diagnosis{Stage: verdict.StageRun, Slug: "readback", Message: fmt.Sprintf("Your function read values back %d times.", readbacks),
			Why: "A readback makes the host wait for the device, and then the device wait for new work. The next pass can read what this one wrote where it is.",
			Ask: "Which buffer does the next pass need? Isn't it on the device already?"}
	case submissions > 1:
		return &verdict.Diagnosis{Stage: verdict.StageRun, Slug: "many-submissions", Message: fmt.Sprintf("There were %d submissions; one is enough.", submissions),
			Why: "Passes in one submission run in order, and each sees what the earlier ones wrote. Each extra submission costs the host and the driver time.",
			Ask: "How many passes can Run take at once?"}
	case unwritten(got.hidden):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-hidden", Message: "Hidden was never written.",
			Why: "The first layer must write its values there for the second to read.",
			Ask: "Which pass writes Hidden?"}
	case right(got.hidden, t.linear1()) && !right(got.hidden, want.hidden):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-relu", Message: "Hidden holds linear's output; ReLU did not run on it.",
			Why: "Without ReLU in between, two linear layers are the same as one.",
			Ask: "What happens to Hidden between the two linear layers?"}
	case !right(got.hidden, want.hidden):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: "Hidden does not hold the first layer's values.",
			Ask: "Which buffers does the first linear pass get, and in which order? How many workgroups in x, and how many in y?"}
	case unwritten(got.out):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-out", Message: "Out was never written.",
			Why: "The second layer reads Hidden and writes Out.",
			Ask: "Which pass writes Out?"}
	case right(got.out, want.logits):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-softmax", Message: "Out holds the second layer's ten sums; softmax did not run on them.",
			Why: "They aren't probabilities yet: they can be negative and don't add up to 1.",
			Ask: "What is left to do after the second linear layer?"}
	case right(got.out, t.outFrom(t.linear1())):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "relu-too-late", Message: "The second layer read Hidden before ReLU had run on it.",
			Why: "Passes run in the order in which you submit them.",
			Ask: "In which order do you submit your four passes?"}
	case !right(got.out, want.out):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: "Hidden is right, but Out does not hold what the second layer and softmax compute from it.",
			Ask: "Which buffers does the second linear pass get? How many workgroups does softmax need for these rows?"}
	}
	return nil
}

// wanted computes the three layers' values on the host.
func (t *trial) wanted() values {
	h := t.linear1()
	for i, x := range h {
		h[i] = max(x, 0)
	}
	logits := t.linear2(h)
	return values{hidden: h, logits: logits, out: eachRow(logits, network.Outputs, softmax)}
}

func (t *trial) linear1() []float32 {
	return eachRow(t.x, network.Inputs, func(row []float32) []float64 { return network.Linear(row, t.w1, t.b1) })
}

func (t *trial) linear2(h []float32) []float32 {
	return eachRow(h, network.Hidden, func(row []float32) []float64 { return network.Linear(row, t.w2, t.b2) })
}

func (t *trial) outFrom(h []float32) []float32 {
	return eachRow(t.linear2(h), network.Outputs, softmax)
}

func softmax(row []float32) []float64 {
	wide := make([]float64, len(row))
	for i, x := range row {
		wide[i] = float64(x)
	}
	return network.Softmax(wide)
}

// eachRow applies layer to rows of k values and rounds to float32, as a buffer does.
func eachRow(x []float32, k int, layer func(row []float32) []float64) []float32 {
	var out []float32
	for row := range len(x) / k {
		for _, value := range layer(x[row*k : (row+1)*k]) {
			out = append(out, float32(value))
		}
	}
	return out
}
