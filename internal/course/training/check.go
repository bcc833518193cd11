package training

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
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A Training is what the learner's function works with: the passes of the shaders, and buffers that
// are already on the device.
type Training struct {
	Passes
	Buffers

	trial *trial
}

// Next puts the next batch into X and Label. It returns false after the last one.
func (t *Training) Next() bool { return t.trial.next() }

// Run hands over the passes of one step in one submission.
func (t *Training) Run(passes ...gpu.Pass) error {
	if t.err != nil {
		return t.err
	}
	return t.device.Submit(passes...)
}

// small is the network of the check. All sizes differ, so that no two buffers can be confused
// unnoticed.
var small = LayerSizes{Inputs: 30, Hidden: 20, Outputs: 10}

// batches lists the rows of each case; every case has so many steps.
var batches = []int{1, 7, 16}

const (
	steps = 3
	rate  = 0.25
)

// Check checks the learner's function, which trains on every batch that Next brings. It records the
// try, with the program's text if it is known. It returns the views for the cell and whether the
// function is right.
func Check(train func(*Training) error, program string) (shown []view.View, passed bool) {
	v, whose, err := Judged(train, judge.FreshSeed())
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
func Judged(train func(*Training) error, seed uint64) (*verdict.Verdict, view.View, error) {
	device, err := gpu.Open()
	if err != nil {
		return nil, nil, err
	}
	defer device.Close()
	return check(device, train, seed)
}

// check also returns a card that says whose shaders ran.
func check(device *gpu.Device, train func(*Training) error, seed uint64) (*verdict.Verdict, view.View, error) {
	started := time.Now()
	v := &verdict.Verdict{Exercise: course.Train.ID, Adapter: device.Adapter().String(), Seed: seed, Cases: []verdict.CaseResult{}}
	pipelines, shaders, err := ownshaders.Pipelines(context.Background(), device, learner.Dir, Exercises...)
	if err != nil {
		return nil, nil, err
	}
	v.Pass("All weights go downhill in every step, with one submission for each batch.")
	random := rand.New(rand.NewPCG(seed, uint64(course.Train.Lesson)))
	for _, rows := range batches {
		t, err := newTrial(device, pipelines, random, rows)
		if err != nil {
			return nil, nil, err
		}
		result, wrong := t.run(train)
		v.Cases = append(v.Cases, result)
		if wrong != nil {
			v.Fail(*wrong)
			break
		}
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return v, ownshaders.Whose(shaders...), nil
}

// A trial is one case: a random network and random batches. It follows the training in float64.
type trial struct {
	Training
	rows   int
	random *rand.Rand

	done   int        // batches that Next has brought
	before Weights    // at the start of the step
	x      []float32  // of the step
	label  []uint32   // of the step
	counts gpu.Counts // at the start of the step
	wrong  *verdict.Diagnosis
	failed error   // of our own reading and writing
	worst  float64 // the largest difference of a weight so far
}

func newTrial(device *gpu.Device, pipelines map[string]*gpu.Pipeline, random *rand.Rand, rows int) (*trial, error) {
	start := Weights{
		W1: normal(random, small.Inputs*small.Hidden, 0.25), B1: normal(random, small.Hidden, 0.25),
		W2: normal(random, small.Hidden*small.Outputs, 0.25), B2: normal(random, small.Outputs, 0.25),
	}
	buffers, err := NewBuffers(device, small, rows, start, course.PoisonF32)
	t := &trial{rows: rows, random: random, before: start}
	t.Training = Training{Passes: *NewPasses(device, pipelines, rows, rate), Buffers: buffers, trial: t}
	return t, err
}

func normal(random *rand.Rand, n int, spread float64) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64() * spread)
	}
	return values
}

// run calls the learner's function and judges its last step.
func (t *trial) run(train func(*Training) error) (verdict.CaseResult, *verdict.Diagnosis) {
	result := verdict.CaseResult{Name: fmt.Sprintf("%d batches of %d", steps, t.rows)}
	err := train(&t.Training)
	var known *verdict.DiagnosedError
	if errors.As(err, &known) { // the function may still run: nothing else of the trial is read
		return result, &known.Diagnosis
	}
	switch {
	case t.wrong != nil:
	case t.failed != nil:
		t.wrong = &verdict.Diagnosis{Stage: verdict.StageRun, Message: english.Sentence(t.failed.Error())}
	case err != nil:
		t.wrong = &verdict.Diagnosis{Stage: verdict.StageCompare, Message: english.Sentence("train returned an error: " + err.Error())}
	case t.done == 0:
		t.wrong = &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: verdict.Stub, Message: "Nothing is written yet: train asked for no batch.",
			Ask: "The task: " + course.Train.Task}
	case t.done <= steps: // Next has not returned false
		t.judge()
		if t.wrong == nil {
			t.wrong = &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "stopped-early", Message: fmt.Sprintf("train took %d of %d batches.", t.done, steps),
				Why: "Next brings one batch for each call. Training goes on until there is none left.",
				Ask: "Which statement of Go repeats while a condition holds?"}
		}
	}
	result.Pass = t.wrong == nil
	result.MaxAbsErr = numeric.JSONNumber(t.worst)
	return result, t.wrong
}

// next judges the step so far, and uploads the next batch.
func (t *trial) next() bool {
	if t.done > 0 && t.done <= steps {
		t.judge()
	}
	if t.done++; t.wrong != nil || t.failed != nil || t.done > steps {
		return false
	}
	t.x, t.label = normal(t.random, t.rows*small.Inputs, 1), make([]uint32, t.rows)
	for i := range t.label {
		t.label[i] = uint32(t.random.IntN(small.Outputs))
	}
	t.failed = errors.Join(gpu.Write(t.X, t.x), gpu.Write(t.Label, t.label))
	t.counts = t.device.Counts()
	return t.failed == nil
}

// judge compares what a step has left with what it should be, and keeps the first mistake.
func (t *trial) judge() {
	counts := t.device.Counts()
	var got state
	if got, t.failed = t.read(); t.failed != nil {
		return
	}
	want := follow(small, t.before, t.x, t.label, rate)
	t.wrong = t.diagnose(got, want, counts.Submissions-t.counts.Submissions, counts.Readbacks-t.counts.Readbacks)
	for i, part := range got.after.all() {
		t.worst = max(t.worst, course.Compare(part, want.after.all()[i], course.Tolerance{}).MaxAbs)
	}
	t.before = got.after
}

// read reads back what the diagnosis looks at.
func (t *trial) read() (state, error) {
	var failed error
	read := func(b *gpu.Buffer) []float32 {
		values, err := gpu.Read[float32](b)
		failed = errors.Join(failed, err)
		return values
	}
	return state{
		hidden: read(t.Hidden), prob: read(t.Prob), loss: read(t.Loss), d: read(t.D), dHidden: read(t.DHidden),
		gradient: Weights{read(t.DW1), read(t.DB1), read(t.DW2), read(t.DB2)},
		after:    Weights{read(t.W1), read(t.B1), read(t.W2), read(t.B2)},
	}, failed
}

// all returns the four parts, in the order of names.
func (w Weights) all() [][]float32 { return [][]float32{w.W1, w.B1, w.W2, w.B2} }

var names = []string{"W1", "B1", "W2", "B2"}

func right(got, want []float32) bool {
	return course.Compare(got, want, course.Tolerance{Absolute: 2e-4, Relative: 1e-3}).Wrong == 0
}

func unwritten(x []float32) bool { return math.IsNaN(float64(x[0])) }

// diagnose returns the first mistake that it finds in a step, or nil.
func (t *trial) diagnose(got, want state, submissions, readbacks int) *verdict.Diagnosis {
	switch {
	case submissions == 0:
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-step", Message: "Nothing was submitted for a batch.",
			Why: "Next only uploads the batch. The passes of the step are up to you.",
			Ask: "Which call hands over passes?"}
	case readbacks > 0:
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "readback", Message: "Your function read values back " + english.Count(readbacks, "time", "times") + ".",
			Why: "Every pass finds what it needs on the device, and so does the next batch.",
			Ask: "Which pass reads the buffer that you read back?"}
	case submissions > 1:
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "many-submissions", Message: fmt.Sprintf("There were %d submissions for one batch; one is enough.", submissions),
			Why: "Passes in one submission run in order, and each sees what the earlier ones wrote.",
			Ask: "How many passes can Run take at once?"}
	}
	if wrong := diagnoseForward(got, want); wrong != nil {
		return wrong
	}
	if wrong := t.diagnoseBackward(got, want); wrong != nil {
		return wrong
	}
	return t.diagnoseSteps(got, want)
}

func diagnoseForward(got, want state) *verdict.Diagnosis {
	switch {
	case unwritten(got.hidden):
		return wrongIn("no-hidden", "Hidden holds no numbers.", "The first layer must write its values there for the second to read.", "Which pass writes Hidden?")
	case right(got.hidden, want.sums):
		return wrongIn("no-relu", "Hidden holds linear's output; ReLU did not run on it.", "Without ReLU in between, two linear layers are the same as one.", "What happens to Hidden between the two linear layers?")
	case !right(got.hidden, want.hidden):
		return wrongIn("", "Hidden does not hold the first layer's values.", "In a training step, the forward pass comes first, as in lesson 6.", "Which passes make Hidden, from which buffers?")
	case unwritten(got.prob):
		return wrongIn("no-prob", "Prob holds no numbers.", "The second layer writes its scores there, and softmax makes probabilities of them.", "Which passes make Prob?")
	case right(got.prob, want.scores):
		return wrongIn("no-softmax", "Prob holds the second layer's scores; softmax did not run on them.", "They aren't probabilities yet: they can be negative and don't add up to 1.", "What is left to do after the second linear layer?")
	case !right(got.prob, want.prob):
		return wrongIn("", "Prob does not hold the probabilities.", "The second layer writes its scores there, and softmax makes probabilities of them.", "Which passes make Prob, from which buffers?")
	case unwritten(got.d) || unwritten(got.loss):
		return wrongIn("no-loss", "Loss and D hold no numbers.", "Either no pass wrote them, or LossGrad ran before softmax had left its probabilities in Prob.", "Which kernel makes Loss and D from Prob and Label?")
	case !right(got.d, want.d) || !right(got.loss, want.loss):
		return wrongIn("", "Loss and D do not hold the loss and its gradient.", "They are made from the probabilities after softmax, and the labels.", "Which buffers does LossGrad get, and in which order?")
	}
	return nil
}

func (t *trial) diagnoseBackward(got, want state) *verdict.Diagnosis {
	updated := small.gradientOfHidden(want.d, got.after.W2, want.hidden)
	switch {
	case unwritten(got.dHidden):
		return wrongIn("no-d-hidden", "DHidden holds no numbers.", "Either no pass wrote it, or it was computed before D was there. The first layer's gradients are made of it.", "Which kernel takes D back through W2?")
	case !right(got.dHidden, want.dHidden) && right(got.dHidden, updated):
		return wrongIn("updated-first", "W2 was updated before DHidden was computed.", "The gradient belongs to the weights of the forward pass. D went back through W2, and W2 had already moved.",
			"Which passes still read a weight after the forward pass?")
	case !right(got.dHidden, want.dHidden):
		return wrongIn("", "DHidden does not hold the gradient of the hidden values.", "D goes back through the weights of the second layer, and relu stops it where Hidden is 0.", "Which buffers does GradHidden get, and in which order?")
	}
	for i, gradient := range got.gradient.all() {
		switch {
		case unwritten(gradient):
			return wrongIn("no-gradient", "D"+names[i]+" holds no numbers.", "Either no pass wrote it, or it was computed before what it is made of was there.", "Which kernel makes D"+names[i]+"?")
		case !right(gradient, want.gradient.all()[i]):
			return wrongIn("", "D"+names[i]+" does not hold the gradient of "+names[i]+".", "A layer's gradient is made of what went into the layer, and of the gradient of what came out.",
				"Which buffers does the pass that writes D"+names[i]+" get, and in which order?")
		}
	}
	return nil
}

// diagnoseSteps looks at the weights after the step.
func (t *trial) diagnoseSteps(got, want state) *verdict.Diagnosis {
	for i, after := range got.after.all() {
		switch {
		case right(after, want.after.all()[i]):
		case right(after, t.before.all()[i]):
			return wrongIn("no-update", names[i]+" did not move.", "Its gradient is there, but no pass took the step.", "How many buffers of weights does the network have, and how many does your step move?")
		default:
			return wrongIn("", names[i]+" took a wrong step.", "Each buffer of weights moves once in a step, by its own gradient.", "Which gradient moves "+names[i]+", and how often?")
		}
	}
	return nil
}

func wrongIn(slug, message, why, ask string) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: slug, Message: message, Why: why, Ask: ask}
}
