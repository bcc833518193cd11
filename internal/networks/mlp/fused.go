package mlp

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// fusedBuffers is the number of storage buffers that the largest of the fused shaders binds. WebGPU
// guarantees 8.
const fusedBuffers = 13

// canFuse reports whether a training step can be two passes instead of fifteen. On a GPU the passes
// of so small a network take less time than the gaps between them. On a CPU adapter a barrier costs
// more than a pass.
func canFuse(a shader.Adapter) bool {
	return a.Kind == shader.GPU && a.Limits.StorageBuffersPerShader >= fusedBuffers
}

// fusedSteps holds the passes of several steps: one pass distorts the images of all steps, and then
// each step is two passes.
type fusedSteps struct {
	atOnce      int      // steps per submission, except for the epoch's last
	whole, rest gpu.Pass // distort the images of atOnce steps, and of the epoch's last submission
	step        []gpu.Pass
}

// distortedTogether is roughly how many images one pass distorts. That is enough to keep a GPU
// busy, and few enough for its cache, at 3 kB per image.
const distortedTogether = 5000

// The share of one workgroup of fused/step-forward and fused/step-weights.
const (
	fusedImages = 2   // images
	fusedWide   = 196 // workgroups for the first layer's weights
	fusedEach   = 64  // of the other numbers
)

// recordFused records fused steps, which distort about together images in one pass.
func recordFused(tr *descent.Trainer, n *Network, together int) {
	r, batch := tr.Made, tr.Batch
	atOnce := min(max(1, together/batch), tr.StepsPerEpoch)
	noted := plan.Upload(r, make([]uint32, 3))
	x := r.Floats(atOnce * batch * Inputs)
	hidden, dHidden, dScores := r.Floats(batch*Hidden), r.Floats(batch*Hidden), r.Floats(batch*Outputs)
	numbers := Inputs*Hidden + Hidden + Hidden*Outputs + Outputs
	mean, square := r.Floats(numbers), r.Floats(numbers)

	steps := r.Uniform(uint32(batch), uint32(tr.StepsPerEpoch), uint32(tr.StepsPerEpoch*tr.Epochs), uint32(atOnce), float32(tr.Rate), float32(descent.Beta1), float32(descent.Beta2), float32(descent.Epsilon))
	distortion := tr.Distorted(n.normalisation.Mean, n.normalisation.Stddev)

	w1, b1, w2, b2 := n.weights[0], n.weights[1], n.weights[2], n.weights[3]
	r.Over(r.Pipeline("train/clock"), 1, tr.Plan(), tr.Clock) // once: after that, each step starts the next
	r.Groups(r.Pipeline("fused/step-forward"), [3]uint32{gpu.Groups(batch, fusedImages), 1, 1},
		steps, tr.Clock, noted, tr.Order, tr.Labels, x, w1, b1, w2, b2, hidden, dHidden, dScores, tr.Losses)
	r.Groups(r.Pipeline("fused/step-weights"), [3]uint32{fusedWide + gpu.Groups(numbers-Inputs*Hidden, fusedEach), 1, 1},
		steps, noted, tr.Clock, x, hidden, dHidden, dScores, mean, square, w1, b1, w2, b2)
	for _, several := range []int{atOnce, tr.StepsPerEpoch % atOnce} {
		if several > 0 {
			r.Groups(r.Pipeline("train/distort"), [3]uint32{uint32(several * batch), 1, 1}, distortion, tr.Clock, tr.Order, tr.Pixels, x)
		}
	}
	if r.Err != nil {
		return
	}
	fused := &fusedSteps{atOnce: atOnce, step: r.Passes[1:3], whole: r.Passes[3], rest: r.Passes[len(r.Passes)-1]}
	tr.InFlight = atOnce
	tr.Submit = func(most int) (int, error) { return fused.submit(r.Device, most) }
	r.Err = r.Device.Submit(r.Passes[0])
}

// submit submits the steps up to the next multiple of atOnce, limited to the given number.
func (f *fusedSteps) submit(device *gpu.Device, most int) (steps int, err error) {
	steps, distort := f.atOnce, f.whole
	if most < f.atOnce {
		steps, distort = most, f.rest
	}
	if got, want := distort.Workgroups()[0], f.whole.Workgroups()[0]/uint32(f.atOnce)*uint32(steps); got != want {
		return 0, fmt.Errorf("%d steps are neither %d nor the end of an epoch", steps, f.atOnce)
	}
	passes := []gpu.Pass{distort}
	for range steps {
		passes = append(passes, f.step...)
	}
	return steps, device.Submit(passes...)
}
