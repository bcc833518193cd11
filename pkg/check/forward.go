package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/network"
	"github.com/wgslab/wgslab/internal/tensor"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Layers is what the host exercise `forward` is given: kernels, and buffers that
// are on the device already. The kernels take their buffers in the order of the
// exercises of the same name.
type Layers struct {
	Device *gpu.Device

	Linear  *gpu.Kernel // dims, x, w, bias, out
	Relu    *gpu.Kernel // data
	Softmax *gpu.Kernel // dims, data

	Rows int // images

	Dims1 *gpu.Buffer // m = Rows, n = 128, k = 784, for the first Linear
	Dims2 *gpu.Buffer // m = Rows, n = 10, k = 128, for the second
	Shape *gpu.Buffer // rows = Rows, cols = 10, for Softmax

	X, W1, B1, W2, B2 *gpu.Buffer // the images and the weights
	Hidden            *gpu.Buffer // Rows × 128: what the first layer leaves
	Out               *gpu.Buffer // Rows × 10: what the network answers
}

// forwardRows are the numbers of images of the cases.
var forwardRows = []int{1, 7, 100}

// Forward checks the host exercise of lesson 6 from a notebook cell: forward
// records four passes and hands them over in one submission.
func Forward(forward func(Layers) error) {
	device, err := gpu.Open()
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: verdict.Sentence(err.Error())})
		os.Exit(1)
	}
	v, whose, err := runForward(device, forward, judge.FreshSeed())
	device.Close()
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: verdict.Sentence(err.Error())})
		os.Exit(1)
	}
	show.Display(v, whose)
	keep(learner.TryOf(v, ""), show.Display)
	if !v.Passed() {
		os.Exit(1)
	}
}

// runForward also says whose kernels took part.
func runForward(device *gpu.Device, forward func(Layers) error, seed uint64) (*verdict.Verdict, show.View, error) {
	started := time.Now()
	v := &verdict.Verdict{Exercise: lesson.Forward.ID, Adapter: device.Adapter().String(), Seed: seed, Cases: []verdict.CaseResult{}}
	kernels, whose, err := ownKernels(device)
	if err != nil {
		return nil, nil, err
	}
	v.Pass("All three layers' values are right, each time in one submission with no readback in between.")
	random := rand.New(rand.NewPCG(seed, network.Inputs))
	for _, rows := range forwardRows {
		t, err := newTrial(device, kernels, random, rows)
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

// ownKernels are the learner's linear, relu and softmax, where they pass.
func ownKernels(device *gpu.Device) (map[string]*gpu.Kernel, show.View, error) {
	kernels := map[string]*gpu.Kernel{}
	card := show.Card{Title: "The kernels that took part"}
	for _, id := range []string{"linear", "relu", "softmax"} {
		shader, err := OwnIn(context.Background(), device, learner.WorkDir, id)
		if err != nil {
			return nil, nil, err
		}
		if kernels[id], err = device.Compile(id, shader.Source); err != nil {
			return nil, nil, err
		}
		card.Rows = append(card.Rows, [2]string{id, shader.Whose()})
	}
	return kernels, card, nil
}

// A trial is one case: random images and weights, on the host and on the device.
type trial struct {
	layers            Layers
	x, w1, b1, w2, b2 []float32
}

func newTrial(device *gpu.Device, kernels map[string]*gpu.Kernel, random *rand.Rand, rows int) (*trial, error) {
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
		Linear: kernels["linear"], Relu: kernels["relu"], Softmax: kernels["softmax"],
		Dims1: uniform(m, uint32(hidden), uint32(inputs)), Dims2: uniform(m, uint32(outputs), uint32(hidden)), Shape: uniform(m, uint32(outputs)),
		X: array(t.x), W1: array(t.w1), B1: array(t.b1), W2: array(t.w2), B2: array(t.b2),
		Hidden: array(lesson.Unwritten(rows * hidden).Floats()), Out: array(lesson.Unwritten(rows * outputs).Floats()),
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

// run calls the learner's function, and judges what it left behind.
func (t *trial) run(forward func(Layers) error) (verdict.CaseResult, *verdict.Diagnosis) {
	result := verdict.CaseResult{Name: fmt.Sprintf("rows = %d", t.layers.Rows)}
	before := t.layers.Device.Counts()
	err := forward(t.layers)
	if err == nil {
		err = t.layers.Device.Wait()
	}
	after := t.layers.Device.Counts()
	if err != nil {
		return result, &verdict.Diagnosis{Stage: verdict.StageRun, Message: verdict.Sentence("forward returned an error: " + err.Error())}
	}
	got, err := t.read()
	if err != nil {
		return result, &verdict.Diagnosis{Stage: verdict.StageRun, Message: verdict.Sentence(err.Error())}
	}
	wrong := t.diagnose(got, after.Submissions-before.Submissions, after.Readbacks-before.Readbacks)
	result.Pass = wrong == nil
	result.MaxAbsErr = verdict.Number(tensor.Compare(got.out, t.wanted().out, tensor.Tolerance{}).MaxAbs)
	return result, wrong
}

// values are the three layers' values of one case.
type values struct{ hidden, logits, out []float32 }

func (t *trial) read() (values, error) {
	h, err := gpu.Read[float32](t.layers.Hidden)
	if err != nil {
		return values{}, err
	}
	o, err := gpu.Read[float32](t.layers.Out)
	return values{hidden: h, out: o}, err
}

// diagnose finds the first thing that is not as it should be; nil when all is.
func (t *trial) diagnose(got values, submissions, readbacks int) *verdict.Diagnosis {
	want := t.wanted()
	tolerance := tensor.Tolerance{Absolute: 2e-4, Relative: 1e-4}
	right := func(got, want []float32) bool { return tensor.Compare(got, want, tolerance).Wrong == 0 }
	unwritten := func(x []float32) bool { return math.IsNaN(float64(x[0])) && math.IsNaN(float64(x[len(x)-1])) }
	switch {
	case submissions == 0:
		return &verdict.Diagnosis{Stage: verdict.StageRun, Slug: verdict.Stub, Message: "Nothing is written yet: nothing was submitted.",
			Ask: "The task: " + lesson.Forward.Task}
	case readbacks > 0:
		return &verdict.Diagnosis{Stage: verdict.StageRun, Slug: "readback", Message: fmt.Sprintf("Values were read back %d times in between.", readbacks),
			Why: "A readback makes the host wait until the device has finished, and the device wait until the host has given it new work. What one pass writes, the next can read where it is.",
			Ask: "Which buffer does the next pass need, and is it not on the device already?"}
	case submissions > 1:
		return &verdict.Diagnosis{Stage: verdict.StageRun, Slug: "many-submissions", Message: fmt.Sprintf("There were %d submissions; one is enough.", submissions),
			Why: "Passes in one submission run in order, and each sees what the ones before it wrote. Every further submission costs the host and the driver time.",
			Ask: "How many passes can Run take at once?"}
	case unwritten(got.hidden):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-hidden", Message: "Hidden was never written.",
			Why: "The first layer has to leave its values there, for the second to read.",
			Ask: "Which pass writes Hidden?"}
	case right(got.hidden, t.linear1()) && !right(got.hidden, want.hidden):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-relu", Message: "Hidden holds what linear left; ReLU did not run on it.",
			Why: "Without the bend in between, two linear layers are only one linear layer.",
			Ask: "What happens to Hidden between the two linear layers?"}
	case !right(got.hidden, want.hidden):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: "Hidden is not what the first layer should leave.",
			Ask: "Which buffers does the first linear pass get, and in which order? How many workgroups in x, and how many in y?"}
	case unwritten(got.out):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-out", Message: "Out was never written.",
			Why: "The second layer reads Hidden and writes Out.",
			Ask: "Which pass writes Out?"}
	case right(got.out, want.logits):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-softmax", Message: "Out holds the ten sums of the second layer; softmax did not run on them.",
			Why: "They are no probabilities yet: they can be negative, and do not add up to 1.",
			Ask: "What is left to do after the second linear layer?"}
	case right(got.out, t.outFrom(t.linear1())):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "relu-too-late", Message: "The second layer read Hidden before ReLU had run on it.",
			Why: "Passes run in the order in which they are handed over.",
			Ask: "In which order do your four passes stand?"}
	case !right(got.out, want.out):
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Message: "Hidden is right, but Out is not what the second layer and softmax should leave.",
			Ask: "Which buffers does the second linear pass get? How many workgroups does softmax need for these rows?"}
	}
	return nil
}

// wanted computes the three layers on the host.
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

// eachRow is what layer makes of rows of k values, kept as a buffer keeps it.
func eachRow(x []float32, k int, layer func(row []float32) []float64) []float32 {
	var out []float32
	for row := range len(x) / k {
		for _, value := range layer(x[row*k : (row+1)*k]) {
			out = append(out, float32(value))
		}
	}
	return out
}
