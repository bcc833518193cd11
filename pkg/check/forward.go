package check

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/tensor"
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

// The shape of the network.
const (
	inputs  = 784
	hidden  = 128
	outputs = 10
)

// forwardRows are the numbers of images of the cases.
var forwardRows = []int{1, 7, 100}

// Forward checks the host exercise of lesson 6 from a notebook cell: learner
// records four passes and hands them over in one submission.
func Forward(learner func(Layers) error) {
	device, err := gpu.Open()
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: sentence(err.Error())})
		os.Exit(1)
	}
	verdict, whose, err := runForward(device, learner, FreshSeed())
	device.Close()
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The check could not run", Body: sentence(err.Error())})
		os.Exit(1)
	}
	show.Display(verdict, whose)
	keep(verdict.Try(""))
	if !verdict.Passed() {
		os.Exit(1)
	}
}

// runForward also says whose kernels took part.
func runForward(device *gpu.Device, learner func(Layers) error, seed uint64) (*Verdict, show.View, error) {
	started := time.Now()
	v := &Verdict{Exercise: lesson.Forward.ID, Stage: StageRun, Adapter: device.Adapter().String(), Seed: seed, Cases: []CaseResult{}}
	kernels, whose, err := ownKernels(device)
	if err != nil {
		return nil, nil, err
	}
	random := rand.New(rand.NewPCG(seed, inputs))
	for _, rows := range forwardRows {
		n, err := newNetwork(device, kernels, random, rows)
		if err != nil {
			return nil, nil, err
		}
		if v.Cases = append(v.Cases, n.run(v, learner)); v.Outcome == Fail {
			break
		}
	}
	if v.Outcome != Fail {
		v.Outcome, v.Stage = Pass, StageCompare
		v.Message = "All three layers' values are right, each time in one submission with no readback in between."
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return v, whose, nil
}

// ownKernels are the learner's linear, relu and softmax, where they pass.
func ownKernels(device *gpu.Device) (map[string]*gpu.Kernel, show.View, error) {
	kernels := map[string]*gpu.Kernel{}
	card := show.Card{Title: "The kernels that took part"}
	for _, id := range []string{"linear", "relu", "softmax"} {
		shader, err := Own(device, id)
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

// network is one case: random images and weights, on the host and on the device.
type network struct {
	layers            Layers
	x, w1, b1, w2, b2 []float32
}

func newNetwork(device *gpu.Device, kernels map[string]*gpu.Kernel, random *rand.Rand, rows int) (*network, error) {
	n := &network{
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
	n.layers = Layers{
		Device: device, Rows: rows,
		Linear: kernels["linear"], Relu: kernels["relu"], Softmax: kernels["softmax"],
		Dims1: uniform(m, uint32(hidden), uint32(inputs)), Dims2: uniform(m, uint32(outputs), uint32(hidden)), Shape: uniform(m, uint32(outputs)),
		X: array(n.x), W1: array(n.w1), B1: array(n.b1), W2: array(n.w2), B2: array(n.b2),
		Hidden: array(lesson.Unwritten(rows * hidden).F32), Out: array(lesson.Unwritten(rows * outputs).F32),
	}
	return n, errors.Join(errs...)
}

func normal(random *rand.Rand, n int, spread float64) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64() * spread)
	}
	return values
}

// run calls the learner's function, and judges what it left behind.
func (n *network) run(v *Verdict, learner func(Layers) error) CaseResult {
	result := CaseResult{Name: fmt.Sprintf("rows = %d", n.layers.Rows)}
	before := n.layers.Device.Counts()
	err := learner(n.layers)
	if err == nil {
		err = n.layers.Device.Wait()
	}
	after := n.layers.Device.Counts()
	if err != nil {
		v.Outcome, v.Stage, v.Message = Fail, StageRun, sentence("forward returned an error: "+err.Error())
		return result
	}
	got, err := n.read()
	if err != nil {
		v.Outcome, v.Stage, v.Message = Fail, StageRun, sentence(err.Error())
		return result
	}
	n.judge(v, got, after.Submissions-before.Submissions, after.Readbacks-before.Readbacks)
	result.Pass = v.Outcome != Fail
	result.MaxAbsErr = Number(tensor.Compare(got.out, n.wanted().out, tensor.Tolerance{}).MaxAbs)
	return result
}

// values are the three layers' values of one case.
type values struct{ hidden, logits, out []float32 }

func (n *network) read() (values, error) {
	h, err := gpu.Read[float32](n.layers.Hidden)
	if err != nil {
		return values{}, err
	}
	o, err := gpu.Read[float32](n.layers.Out)
	return values{hidden: h, out: o}, err
}

// judge finds the first thing that is not as it should be.
func (n *network) judge(v *Verdict, got values, submissions, readbacks int) {
	fail := func(stage Stage, slug, message, why, ask string) {
		v.Outcome, v.Stage, v.Diagnosis, v.Message, v.Why, v.Ask = Fail, stage, slug, message, why, ask
	}
	want := n.wanted()
	tolerance := tensor.Tolerance{Absolute: 2e-4, Relative: 1e-4}
	right := func(got, want []float32) bool { return tensor.Compare(got, want, tolerance).Wrong == 0 }
	unwritten := func(x []float32) bool { return math.IsNaN(float64(x[0])) && math.IsNaN(float64(x[len(x)-1])) }
	switch {
	case submissions == 0:
		fail(StageRun, "stub", "Nothing is written yet: nothing was submitted.", "", "The task: "+lesson.Forward.Task)
	case readbacks > 0:
		fail(StageRun, "readback", fmt.Sprintf("Values were read back %d times in between.", readbacks),
			"A readback makes the host wait until the device has finished, and the device wait until the host has given it new work. What one pass writes, the next can read where it is.",
			"Which buffer does the next pass need, and is it not on the device already?")
	case submissions > 1:
		fail(StageRun, "many-submissions", fmt.Sprintf("There were %d submissions; one is enough.", submissions),
			"Passes in one submission run in order, and each sees what the ones before it wrote. Every further submission costs the host and the driver time.",
			"How many passes can Run take at once?")
	case unwritten(got.hidden):
		fail(StageCompare, "no-hidden", "Hidden was never written.", "The first layer has to leave its values there, for the second to read.", "Which pass writes Hidden?")
	case right(got.hidden, n.linear1()) && !right(got.hidden, want.hidden):
		fail(StageCompare, "no-relu", "Hidden holds what linear left; ReLU did not run on it.", "Without the bend in between, two linear layers are only one linear layer.", "What happens to Hidden between the two linear layers?")
	case !right(got.hidden, want.hidden):
		fail(StageCompare, "", "Hidden is not what the first layer should leave.", "", "Which buffers does the first linear pass get, and in which order? How many workgroups in x, and how many in y?")
	case unwritten(got.out):
		fail(StageCompare, "no-out", "Out was never written.", "The second layer reads Hidden and writes Out.", "Which pass writes Out?")
	case right(got.out, want.logits):
		fail(StageCompare, "no-softmax", "Out holds the ten sums of the second layer; softmax did not run on them.", "They are no probabilities yet: they can be negative, and do not add up to 1.", "What is left to do after the second linear layer?")
	case right(got.out, n.outFrom(n.linear1())):
		fail(StageCompare, "relu-too-late", "The second layer read Hidden before ReLU had run on it.", "Passes run in the order in which they are handed over.", "In which order do your four passes stand?")
	case !right(got.out, want.out):
		fail(StageCompare, "", "Hidden is right, but Out is not what the second layer and softmax should leave.", "", "Which buffers does the second linear pass get? How many workgroups does softmax need for these rows?")
	}
}

// wanted computes the three layers in float64.
func (n *network) wanted() values {
	h := n.linear1()
	for i, x := range h {
		h[i] = max(x, 0)
	}
	logits := linear64(h, n.w2, n.b2, hidden, outputs)
	return values{hidden: h, logits: logits, out: softmax64(logits)}
}

func (n *network) linear1() []float32 { return linear64(n.x, n.w1, n.b1, inputs, hidden) }

func (n *network) outFrom(h []float32) []float32 {
	return softmax64(linear64(h, n.w2, n.b2, hidden, outputs))
}

// linear64 is x·w + bias for rows of k values, in float64.
func linear64(x, w, bias []float32, k, columns int) []float32 {
	out := make([]float32, len(x)/k*columns)
	for row := range len(x) / k {
		for col := range columns {
			sum := float64(bias[col])
			for i := range k {
				sum += float64(x[row*k+i]) * float64(w[i*columns+col])
			}
			out[row*columns+col] = float32(sum)
		}
	}
	return out
}

func softmax64(logits []float32) []float32 {
	out := make([]float32, len(logits))
	for row := 0; row < len(logits); row += outputs {
		largest, sum := math.Inf(-1), 0.0
		for _, x := range logits[row : row+outputs] {
			largest = max(largest, float64(x))
		}
		for _, x := range logits[row : row+outputs] {
			sum += math.Exp(float64(x) - largest)
		}
		for i, x := range logits[row : row+outputs] {
			out[row+i] = float32(math.Exp(float64(x)-largest) / sum)
		}
	}
	return out
}
