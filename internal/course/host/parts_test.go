package host_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/course/training"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// judgedParts judges a function of a task of parts. It also returns what is shown below.
func judgedParts(t *testing.T, device *gpu.Device, id string, function func(*host.Parts) error, seed uint64) (*verdict.Verdict, string) {
	t.Helper()
	found, err := host.Find(id)
	require.NoError(t, err)
	judged, err := found.Judge(t.Context(), device, seed, func(c host.Case, _ func(string)) ([]float64, error) { return nil, function(c.Parts) })
	require.NoError(t, err)
	var shown strings.Builder
	judged.Show(func(views ...view.View) {
		for _, v := range views {
			shown.WriteString(v.Text())
		}
	}, "", "")
	return judged.Verdict, shown.String()
}

// fourPasses is the right network, pass by pass.
func fourPasses(l host.Layers) ([]gpu.Pass, error) {
	cover := func(k *gpu.Pipeline, columns, rows int) [3]uint32 {
		size := k.WorkgroupSize()
		return [3]uint32{gpu.Groups(columns, size[0]), gpu.Groups(rows, size[1]), 1}
	}
	first, err1 := l.Linear.Pass(cover(l.Linear, network.Hidden, l.Rows), l.Dims1, l.X, l.W1, l.B1, l.Hidden)
	bend, err2 := l.Relu.Pass(cover(l.Relu, l.Rows*network.Hidden, 1), l.Hidden)
	second, err3 := l.Linear.Pass(cover(l.Linear, network.Outputs, l.Rows), l.Dims2, l.Hidden, l.W2, l.B2, l.Out)
	answer, err4 := l.Softmax.Pass([3]uint32{uint32(l.Rows), 1, 1}, l.Shape, l.Out)
	return []gpu.Pass{first, bend, second, answer}, errors.Join(err1, err2, err3, err4)
}

// only runs some of the four passes, in the order given, in one submission.
func only(order ...int) func(host.Layers) error {
	return func(l host.Layers) error {
		passes, err := fourPasses(l)
		if err != nil {
			return err
		}
		var chosen []gpu.Pass
		for _, i := range order {
			chosen = append(chosen, passes[i])
		}
		return l.Device.Run(chosen...)
	}
}

func TestForward(t *testing.T) {
	t.Chdir(t.TempDir()) // without a learner's shaders, the reference runs
	wrong := errors.New("no buffers left")
	for _, c := range []struct {
		name, diagnosis string
		passes          bool
		forward         func(host.Layers) error
	}{
		{"one submission", "", true, only(0, 1, 2, 3)},
		{"submitted, not waited for", "", true, func(l host.Layers) error {
			passes, err := fourPasses(l)
			return errors.Join(err, l.Device.Submit(passes...))
		}},
		{"nothing", "stub", false, func(host.Layers) error { return nil }},
		{"an error", "", false, func(host.Layers) error { return wrong }},
		{"four submissions", "many-submissions", false, func(l host.Layers) error {
			passes, err := fourPasses(l)
			for p := range slices.Values(passes) {
				err = errors.Join(err, l.Device.Run(p))
			}
			return err
		}},
		{"a readback", "readback", false, func(l host.Layers) error {
			err := only(0, 1, 2, 3)(l)
			_, read := gpu.Read[float32](l.Hidden)
			return errors.Join(err, read)
		}},
		{"no relu", "no-relu", false, only(0, 2, 3)},
		{"relu too late", "relu-too-late", false, only(0, 2, 1, 3)},
		{"no softmax", "no-softmax", false, only(0, 1, 2)},
		{"relu too early", "relu-too-early", false, only(1, 0, 2, 3)},
		{"relu twice", "", true, only(0, 1, 1, 2, 3)},
		{"first layer only", "no-out", false, only(0, 1)},
		{"second layer only", "no-hidden", false, only(2, 3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			device, err := gpu.Open()
			require.NoError(t, err)
			defer device.Close()
			verdict, whose := judgedParts(t, device, "forward", func(p *host.Parts) error { return c.forward(p.Layers()) }, 7)
			require.Equal(t, c.passes, verdict.Passed(), verdict.Text())
			require.Equal(t, c.diagnosis, verdict.Slug, verdict.Text())
			require.NotContains(t, verdict.Text(), "did not finish")
			require.Contains(t, whose, "the reference: yours is not written yet")
		})
	}
}

// A pass with too few workgroups, or with another buffer, is the mistake that is told, and with the
// numbers of the pass.
func TestForwardNamesThePass(t *testing.T) {
	t.Chdir(t.TempDir())
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	// instead makes one pass of a right function in another way.
	instead := func(i int, pass func(host.Layers) (gpu.Pass, error)) func(host.Layers) error {
		return func(l host.Layers) error {
			passes, err := fourPasses(l)
			if err != nil {
				return err
			}
			if passes[i], err = pass(l); err != nil {
				return err
			}
			return l.Device.Run(passes...)
		}
	}
	linear1 := func(columns, rows uint32) func(host.Layers) (gpu.Pass, error) {
		return func(l host.Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{columns, rows, 1}, l.Dims1, l.X, l.W1, l.B1, l.Hidden)
		}
	}
	for name, c := range map[string]struct {
		forward         func(host.Layers) error
		diagnosis, says string
	}{
		"relu for one workgroup": {instead(1, func(l host.Layers) (gpu.Pass, error) { return l.Relu.Pass([3]uint32{1, 1, 1}, l.Hidden) }),
			"dispatch-short", "Your pass of `relu` has 1 workgroup of 64: that covers the first 64 of Hidden's 128 values."},
		"relu for one row": {instead(1, func(l host.Layers) (gpu.Pass, error) { return l.Relu.Pass([3]uint32{2, 1, 1}, l.Hidden) }),
			"dispatch-short", "Your pass of `relu` has 2 workgroups of 64: that covers the first 128 of Hidden's 896 values."},
		"first layer's columns": {instead(0, linear1(1, 100)), "dispatch-short", "of 128 columns"},
		"first layer's rows":    {instead(0, linear1(128, 1)), "dispatch-short", "of 100 rows"},
		"second layer's rows": {instead(2, func(l host.Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{10, 1, 1}, l.Dims2, l.Hidden, l.W2, l.B2, l.Out)
		}), "dispatch-short", "of 100 rows"},
		"softmax for one row": {instead(3, func(l host.Layers) (gpu.Pass, error) { return l.Softmax.Pass([3]uint32{1, 1, 1}, l.Shape, l.Out) }),
			"dispatch-short", "Your pass of `softmax` has 1 workgroup, and Out has 7 rows."},
		"sizes of the other layer": {instead(2, func(l host.Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{10, uint32(l.Rows), 1}, l.Dims1, l.Hidden, l.W2, l.B2, l.Out)
		}), "other-buffer", "The pass of `linear` that writes Out gets Dims1 as its `dims`."},
		"bias of the other layer": {instead(0, func(l host.Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{128, uint32(l.Rows), 1}, l.Dims1, l.X, l.W1, l.B2, l.Hidden)
		}), "other-buffer", "The pass of `linear` that writes Hidden gets B2 as its `bias`."},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, _ := judgedParts(t, device, "forward", func(p *host.Parts) error { return c.forward(p.Layers()) }, 7)
			require.Equal(t, c.diagnosis, verdict.Slug, verdict.Text())
			require.Contains(t, verdict.Message, c.says)
		})
	}
}

// onEachBatch is the learner's loop around the passes of one step.
func onEachBatch(passes func(*host.Training) []gpu.Pass) func(*host.Training) error {
	return func(t *host.Training) error {
		for t.Next() {
			if err := t.Run(passes(t)...); err != nil {
				return err
			}
		}
		return nil
	}
}

// onlyOf makes some of the right passes, in an order.
func onlyOf(which ...int) func(*host.Training) []gpu.Pass {
	return func(t *host.Training) (some []gpu.Pass) {
		all := training.Step(&t.Passes, t.Buffers)
		for _, i := range which {
			some = append(some, all[i])
		}
		return some
	}
}

// instead makes the right passes, but one of them in another way.
func instead(i int, pass func(*host.Training) gpu.Pass) func(*host.Training) []gpu.Pass {
	return func(t *host.Training) []gpu.Pass {
		all := training.Step(&t.Passes, t.Buffers)
		all[i] = pass(t)
		return all
	}
}

func TestTrainIsJudged(t *testing.T) {
	t.Chdir(t.TempDir())
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	for name, one := range map[string]struct {
		train func(*host.Training) error
		want  string // the diagnosis
		says  string // the message
	}{
		"right":         {onEachBatch(func(t *host.Training) []gpu.Pass { return training.Step(&t.Passes, t.Buffers) }), "", ""},
		"another order": {onEachBatch(onlyOf(0, 1, 2, 3, 4, 6, 7, 5, 9, 8, 13, 12, 11, 10)), "", ""},
		"nothing":       {func(*host.Training) error { return nil }, verdict.Stub, "Nothing is written yet: train asked for no batch."},
		"no passes":     {func(t *host.Training) error { t.Next(); t.Next(); return nil }, "no-step", "Nothing was submitted for a batch."},
		"one batch": {func(t *host.Training) error { t.Next(); return t.Run(training.Step(&t.Passes, t.Buffers)...) },
			"stopped-early", "train took 1 of 3 batches."},
		"only forward":   {onEachBatch(onlyOf(0, 1, 2, 3)), "no-loss", "Loss and D hold no numbers."},
		"no relu":        {onEachBatch(onlyOf(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)), "no-relu", "ReLU did not run on it."},
		"no softmax":     {onEachBatch(onlyOf(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)), "no-softmax", "softmax did not run on them."},
		"updated first":  {onEachBatch(onlyOf(0, 1, 2, 3, 4, 5, 6, 12, 13, 7, 8, 9, 10, 11)), "updated-first", "W2 was updated before DHidden was computed."},
		"no bias":        {onEachBatch(onlyOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13)), "no-update", "B1 did not move."},
		"twice":          {onEachBatch(onlyOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13)), "", "B2 took a wrong step."},
		"no gradient":    {onEachBatch(onlyOf(0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13)), "no-gradient", "DW1 holds no numbers."},
		"backward first": {onEachBatch(onlyOf(4, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)), "no-loss", "Loss and D hold no numbers."},
		"other bias":     {onEachBatch(instead(0, func(t *host.Training) gpu.Pass { return t.Linear(t.X, t.W1, t.B2, t.Hidden) })), "other-buffer", "The pass of `linear` that writes Hidden gets B2 as its `bias`."},
		"other input":    {onEachBatch(instead(8, func(t *host.Training) gpu.Pass { return t.GradWeights(t.X, t.D, t.DW1) })), "other-buffer", "The pass of `grad-weights` that writes DW1 gets D as its `d`."},
		"other gradient": {onEachBatch(instead(12, func(t *host.Training) gpu.Pass { return t.SGD(t.DB2, t.B1) })), "", "B1 took a wrong step."},
		"reads back": {onEachBatch(func(t *host.Training) []gpu.Pass {
			_, _ = gpu.Read[float32](t.W1)
			return training.Step(&t.Passes, t.Buffers)
		}), "readback", "Your function read values back 1 time."},
		"one by one": {func(t *host.Training) error {
			for t.Next() {
				for _, pass := range training.Step(&t.Passes, t.Buffers) {
					if err := t.Run(pass); err != nil {
						return err
					}
				}
			}
			return nil
		}, "many-submissions", "There were 14 submissions for one batch; one is enough."},
		"wrong buffer": {onEachBatch(func(t *host.Training) []gpu.Pass { return []gpu.Pass{t.Relu(t.Label)} }), "", "Train returned an error"},
	} {
		t.Run(name, func(t *testing.T) {
			v, whose := judgedParts(t, device, "train", func(p *host.Parts) error { return one.train(p.Training()) }, 1)
			require.Contains(t, whose, "grad-hidden")
			require.Equal(t, one.says == "", v.Passed(), "%s", v.Message)
			require.Equal(t, one.want, v.Slug)
			require.Contains(t, v.Message, one.says)
		})
	}
}
