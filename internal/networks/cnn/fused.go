package cnn

import (
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/plan"
	"github.com/wgslab/wgslab/shaders"
)

// fusedBatch is the largest batch in one pass, which needs memory for its pixels and probabilities
// only.
const fusedBatch = 10_000

// fusedShader takes more workgroup memory than the 16 KiB that WebGPU guarantees.
const fusedShader = "fused/conv"

// runsInOnePass reports whether one pass is faster on an adapter, and fits it. On a CPU adapter
// barriers cost more than passes.
func runsInOnePass(on shader.Adapter) bool {
	text, err := shaders.Source(fusedShader)
	if err != nil || on.Kind != shader.GPU {
		return false
	}
	_, err = shader.Read(fusedShader, text).Entry(on)
	return err == nil
}

// fused runs a batch in one pass.
type fused struct {
	pipeline *gpu.Pipeline
	w1, w2   *gpu.Buffer // by channel, then tap, then filter
}

func newFused(r *plan.Recorder, w *Weights) *fused {
	return &fused{
		r.Pipeline(fusedShader),
		plan.Upload(r, byFilter(w.W1, First)), plan.Upload(r, byFilter(w.W2, Second)),
	}
}

// byFilter puts the weights of all filters for one tap of one channel side by side.
func byFilter(w []float32, filters int) []float32 {
	each := len(w) / filters
	turned := make([]float32, len(w))
	for i, weight := range w {
		turned[i%each*filters+i/each] = weight
	}
	return turned
}

func (f *fused) record(n *Network, r *plan.Recorder, images int) (pixels, out *gpu.Buffer) {
	pixels, out = r.Shared(images*network.Inputs/4), plan.Answer[float32](r, images*network.Outputs)
	params := r.Uniform(float32(network.Mean), float32(network.Stddev), uint32(First))
	r.Groups(f.pipeline, [3]uint32{uint32(images), 1, 1}, params, pixels, f.w1, n.b1, f.w2, n.b2, n.w3, n.b3, out)
	return pixels, out
}
