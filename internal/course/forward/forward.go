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
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
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
// records the try, with the program's text if it is known. It returns the views for the cell and
// whether the function is right.
func Check(forward func(Layers) error, program string) (shown []view.View, passed bool) {
	v, whose, err := Judged(forward, judge.FreshSeed())
	if err != nil {
		return []view.View{session.CouldNotRun(err)}, false
	}
	shown = []view.View{v, whose}
	if note := session.Record(learner.TryOf(v, program)); note != nil {
		shown = append(shown, note)
	}
	return shown, v.Passed()
}

// Judged checks the function without recording the try. It also returns a card that says whose
// shaders ran.
func Judged(forward func(Layers) error, seed uint64) (*verdict.Verdict, view.View, error) {
	device, err := gpu.Open()
	if err != nil {
		return nil, nil, err
	}
	defer device.Close()
	return check(device, forward, seed)
}

// check also returns a card that says whose shaders ran.
func check(device *gpu.Device, forward func(Layers) error, seed uint64) (*verdict.Verdict, view.View, error) {
	started := time.Now()
	v := &verdict.Verdict{Exercise: course.Forward.ID, Adapter: device.Adapter().String(), Seed: seed, Cases: []verdict.CaseResult{}}
	pipelines, shaders, err := ownshaders.Pipelines(context.Background(), device, learner.Dir, "linear", "relu", "softmax")
	if err != nil {
		return nil, nil, err
	}
	whose := ownshaders.Whose(shaders...)
	whose.Title = "The shaders used here"
	v.Pass(fmt.Sprintf("Hidden and Out are right in all %d cases, with one submission each and no readback in between.", len(forwardRows)))
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
	submitted         []gpu.Pass // by the learner's function
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
	device := t.layers.Device
	before := device.Counts()
	device.Watch(func(passes []gpu.Pass) { t.submitted = append(t.submitted, passes...) })
	err := forward(t.layers)
	device.Watch(nil)
	var known *verdict.DiagnosedError
	if errors.As(err, &known) {
		return result, &known.Diagnosis
	}
	if err != nil {
		return result, &verdict.Diagnosis{Stage: verdict.StageCompare, Message: english.Sentence("forward returned an error: " + err.Error())}
	}
	if err := device.Wait(); err != nil {
		return result, &verdict.Diagnosis{Stage: verdict.StageRun, Message: english.Sentence(err.Error())}
	}
	after := device.Counts()
	got, err := t.read()
	if err != nil {
		return result, &verdict.Diagnosis{Stage: verdict.StageRun, Message: english.Sentence(err.Error())}
	}
	wrong := t.diagnose(got, after.Submissions-before.Submissions, after.Readbacks-before.Readbacks)
	result.Pass = wrong == nil
	result.MaxAbsErr = numeric.JSONNumber(course.Compare(got.out, t.wanted().out, course.Tolerance{}).MaxAbs)
	return result, wrong
}

// values holds what the passes leave in one case; logits are what softmax gets.
type values struct{ hidden, logits, out []float32 }

func (t *trial) read() (values, error) {
	h, err := gpu.Read[float32](t.layers.Hidden)
	if err != nil {
		return values{}, err
	}
	o, err := gpu.Read[float32](t.layers.Out)
	return values{hidden: h, out: o}, err
}

// allowed is the difference that rounding may make.
var allowed = course.Tolerance{Absolute: 2e-4, Relative: 1e-4}

func right(got, want []float32) bool { return course.Compare(got, want, allowed).Wrong == 0 }

func unwritten(x []float32) bool {
	return math.IsNaN(float64(x[0])) && math.IsNaN(float64(x[len(x)-1]))
}

// diagnose returns the first mistake it finds, or nil.
func (t *trial) diagnose(got values, submissions, readbacks int) *verdict.Diagnosis {
	wrong := func(slug, message, why, ask string) *verdict.Diagnosis {
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: slug, Message: message, Why: why, Ask: ask}
	}
	switch {
	case submissions == 0:
		return wrong(verdict.Stub, "Nothing is written yet: nothing was submitted.", "", "The task: "+course.Forward.Task)
	case readbacks > 0:
		return wrong("readback", "Your function read values back "+english.Count(readbacks, "time", "times")+".",
			"A readback makes the host wait for the device, and then the device wait for new work. The next pass can read what this one wrote where it is.",
			"Which buffer does the next pass need? Isn't it on the device already?")
	case submissions > 1:
		return wrong("many-submissions", fmt.Sprintf("There were %d submissions; one is enough.", submissions),
			"Passes in one submission run in order, and each sees what the earlier ones wrote. Each extra submission costs the host and the driver time.",
			"How many passes can Run take at once?")
	}
	want := t.wanted()
	if d := t.diagnoseHidden(got, want, wrong); d != nil {
		return d
	}
	return t.diagnoseOut(got, want, wrong)
}

// diagnoseHidden looks at what the first layer and relu have left.
func (t *trial) diagnoseHidden(got, want values, wrong func(slug, message, why, ask string) *verdict.Diagnosis) *verdict.Diagnosis {
	if right(got.hidden, want.hidden) {
		return nil
	}
	linear, relu, _, _ := t.layers.duePasses()
	sums := t.linear1()
	at := func(want []float32) func(row, column int) bool {
		return func(row, column int) bool {
			i := row*linear.columns + column
			return !right(got.hidden[i:i+1], want[i:i+1])
		}
	}
	if right(got.hidden, sums) && relu.in(t.submitted) == nil {
		return wrong("no-relu", "Hidden holds linear's output; ReLU did not run on it.", "Without ReLU in between, two linear layers are the same as one.",
			"What happens to Hidden between the two linear layers?")
	}
	if linear.in(t.submitted) == nil && unwritten(got.hidden) {
		return wrong("no-hidden", "Hidden was never written.", "The first layer must write its values there for the second to read.", "Which pass writes Hidden?")
	}
	if d := t.otherBuffer(linear); d != nil {
		return d
	}
	if d := t.tooShort(linear, at(want.hidden)); d != nil {
		return d
	}
	if d := t.tooShort(relu, at(want.hidden)); d != nil {
		return d
	}
	if right(got.hidden, sums) {
		return wrong("relu-too-early", "Hidden holds linear's output; ReLU ran on it before linear had written it.", "Passes run in the order in which you submit them.",
			"In which order do you submit your passes?")
	}
	return wrong("", "Hidden does not hold the first layer's values.", "", "Which buffers does the first linear pass get, and in which order? How many workgroups in x, and how many in y?")
}

// diagnoseOut looks at what the second layer and softmax have left.
func (t *trial) diagnoseOut(got, want values, wrong func(slug, message, why, ask string) *verdict.Diagnosis) *verdict.Diagnosis {
	if right(got.out, want.out) {
		return nil
	}
	_, _, linear, softmax := t.layers.duePasses()
	wrongAt := func(row, column int) bool {
		i := row*linear.columns + column
		return !right(got.out[i:i+1], want.out[i:i+1]) && !math.IsNaN(float64(got.out[i])) // softmax spreads what was never written over its row
	}
	rowBegins := func(row, _ int) bool {
		return !right(got.out[row*linear.columns:(row+1)*linear.columns], want.out[row*linear.columns:(row+1)*linear.columns])
	}
	switch {
	case linear.in(t.submitted) == nil && unwritten(got.out):
		return wrong("no-out", "Out was never written.", "The second layer reads Hidden and writes Out.", "Which pass writes Out?")
	case right(got.out, want.logits) && softmax.in(t.submitted) == nil:
		return wrong("no-softmax", "Out holds the second layer's ten sums; softmax did not run on them.", "They aren't probabilities yet: they can be negative and don't add up to 1.",
			"What is left to do after the second linear layer?")
	case right(got.out, t.outFrom(t.linear1())):
		return wrong("relu-too-late", "The second layer read Hidden before ReLU had run on it.", "Passes run in the order in which you submit them.", "In which order do you submit your four passes?")
	}
	if d := t.otherBuffer(linear); d != nil {
		return d
	}
	if d := t.otherBuffer(softmax); d != nil {
		return d
	}
	if d := t.tooShort(linear, wrongAt); d != nil {
		return d
	}
	if d := t.tooShort(softmax, rowBegins); d != nil {
		return d
	}
	return wrong("", "Hidden is right, but Out does not hold what the second layer and softmax compute from it.", "",
		"Which buffers does the second linear pass get? How many workgroups does softmax need for these rows?")
}

// wanted computes the values of all passes on the host.
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
