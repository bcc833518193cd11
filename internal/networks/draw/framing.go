package draw

import (
	"context"
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

// A framing frames drawings with the learner's pipelines of lesson 9. Until both are right, the
// page frames them.
type framing struct {
	box           *gpu.Buffer
	inkBox, frame gpu.Pass
}

// noInk is the box that ink-box begins with.
var noInk = []uint32{math.MaxUint32, math.MaxUint32, 0, 0}

// prepareFraming makes r.framing, if both of the learner's shaders are right.
func (r *reader) prepareFraming(work string) error {
	var pipelines []*gpu.Pipeline
	for _, id := range []string{"ink-box", "frame"} {
		shader, err := ownshaders.Find(context.Background(), r.device, work, id)
		if err != nil || !shader.Learners {
			return err
		}
		pipeline, err := r.device.Compile(id, shader.Source)
		if err != nil {
			return err
		}
		pipelines = append(pipelines, pipeline)
	}
	f := &framing{}
	var err error
	if f.box, err = gpu.Upload(r.device, noInk); err != nil {
		return err
	}
	params, err := gpu.Uniform(r.device, uint32(src), uint32(src), float32(0)) // all that isn't white is ink
	if err != nil {
		return err
	}
	size := pipelines[0].WorkgroupSize()
	groups := [3]uint32{gpu.Groups(src, size[0]), gpu.Groups(src, size[1]), 1}
	if f.inkBox, err = pipelines[0].Pass(groups, params, r.image, f.box); err != nil {
		return err
	}
	if params, err = gpu.Uniform(r.device, uint32(src), uint32(src)); err != nil {
		return err
	}
	if f.frame, err = pipelines[1].Pass([3]uint32{1, 1, 1}, params, r.image, f.box, r.small); err != nil {
		return err
	}
	r.authors = append([]Author{{Name: "ink-box", Own: true}, {Name: "frame", Own: true}}, r.authors...)
	r.framing = f
	return nil
}

// reduce makes the network's input, r.small, of r.image. It frames an image as drawn, and then also
// returns the box around the ink.
func (r *reader) reduce(ready bool) (steps []mlp.TimedPass, box []uint32, err error) {
	if ready || r.framing == nil {
		steps, err = r.time([]string{"downsample"}, r.downsample)
		return steps, nil, err
	}
	if err := gpu.Write(r.framing.box, noInk); err != nil {
		return nil, nil, fmt.Errorf("emptying the box: %w", err)
	}
	if steps, err = r.time([]string{"ink-box", "frame"}, r.framing.inkBox, r.framing.frame); err != nil {
		return nil, nil, err
	}
	box, err = gpu.Read[uint32](r.framing.box)
	return steps, box, err
}

// time runs passes and returns how long each took, if the adapter can tell.
func (r *reader) time(names []string, passes ...gpu.Pass) ([]mlp.TimedPass, error) {
	steps := make([]mlp.TimedPass, len(names))
	for i, name := range names {
		steps[i].Shader = name
	}
	if !r.device.Adapter().Timestamps {
		return steps, r.device.Run(passes...)
	}
	times, err := r.device.Time(passes...)
	if err != nil {
		return nil, err
	}
	for i, took := range times {
		steps[i].Took = took
	}
	return steps, nil
}
