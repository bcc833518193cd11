package forward

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// fourPasses is the right network, pass by pass.
func fourPasses(l Layers) ([]gpu.Pass, error) {
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
func only(order ...int) func(Layers) error {
	return func(l Layers) error {
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
		forward         func(Layers) error
	}{
		{"one submission", "", true, only(0, 1, 2, 3)},
		{"submitted, not waited for", "", true, func(l Layers) error {
			passes, err := fourPasses(l)
			return errors.Join(err, l.Device.Submit(passes...))
		}},
		{"nothing", "stub", false, func(Layers) error { return nil }},
		{"an error", "", false, func(Layers) error { return wrong }},
		{"four submissions", "many-submissions", false, func(l Layers) error {
			passes, err := fourPasses(l)
			for p := range slices.Values(passes) {
				err = errors.Join(err, l.Device.Run(p))
			}
			return err
		}},
		{"a readback", "readback", false, func(l Layers) error {
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
			verdict, whose, err := check(device, c.forward, 7)
			require.NoError(t, err)
			require.Equal(t, c.passes, verdict.Passed(), verdict.Text())
			require.Equal(t, c.diagnosis, verdict.Slug, verdict.Text())
			require.NotContains(t, verdict.Text(), "did not finish")
			require.Contains(t, whose.Text(), "the reference: yours is not written yet")
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
	instead := func(i int, pass func(Layers) (gpu.Pass, error)) func(Layers) error {
		return func(l Layers) error {
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
	linear1 := func(columns, rows uint32) func(Layers) (gpu.Pass, error) {
		return func(l Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{columns, rows, 1}, l.Dims1, l.X, l.W1, l.B1, l.Hidden)
		}
	}
	for name, c := range map[string]struct {
		forward         func(Layers) error
		diagnosis, says string
	}{
		"relu for one workgroup": {instead(1, func(l Layers) (gpu.Pass, error) { return l.Relu.Pass([3]uint32{1, 1, 1}, l.Hidden) }),
			"dispatch-short", "Your pass of `relu` has 1 workgroup of 64: that covers the first 64 of Hidden's 128 values."},
		"relu for one row": {instead(1, func(l Layers) (gpu.Pass, error) { return l.Relu.Pass([3]uint32{2, 1, 1}, l.Hidden) }),
			"dispatch-short", "Your pass of `relu` has 2 workgroups of 64: that covers the first 128 of Hidden's 896 values."},
		"first layer's columns": {instead(0, linear1(1, 100)), "dispatch-short", "of 128 columns"},
		"first layer's rows":    {instead(0, linear1(128, 1)), "dispatch-short", "of 100 rows"},
		"second layer's rows": {instead(2, func(l Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{10, 1, 1}, l.Dims2, l.Hidden, l.W2, l.B2, l.Out)
		}), "dispatch-short", "of 100 rows"},
		"softmax for one row": {instead(3, func(l Layers) (gpu.Pass, error) { return l.Softmax.Pass([3]uint32{1, 1, 1}, l.Shape, l.Out) }),
			"dispatch-short", "Your pass of `softmax` has 1 workgroup, and Out has 7 rows."},
		"sizes of the other layer": {instead(2, func(l Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{10, uint32(l.Rows), 1}, l.Dims1, l.Hidden, l.W2, l.B2, l.Out)
		}), "other-buffer", "The pass of `linear` that writes Out gets Dims1 as its `dims`."},
		"bias of the other layer": {instead(0, func(l Layers) (gpu.Pass, error) {
			return l.Linear.Pass([3]uint32{128, uint32(l.Rows), 1}, l.Dims1, l.X, l.W1, l.B2, l.Hidden)
		}), "other-buffer", "The pass of `linear` that writes Hidden gets B2 as its `bias`."},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, _, err := check(device, c.forward, 7)
			require.NoError(t, err)
			require.Equal(t, c.diagnosis, verdict.Slug, verdict.Text())
			require.Contains(t, verdict.Message, c.says)
		})
	}
}
