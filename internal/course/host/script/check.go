package script

import (
	"context"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Checker checks learners' programs. It keeps the device on which it checks their shaders.
type Checker struct{ simulator *gpu.Device }

// Check runs a program for an exercise and judges it. The shaders are those in the work folder of
// the current folder.
func (c *Checker) Check(ctx context.Context, id string, p *Program, seed uint64) (_ *host.JudgedHandIn, err error) {
	if p.Task, err = host.Find(id); err != nil {
		return nil, err
	}
	if p.Task.Work.Parts {
		device, err := gpu.Open()
		if err != nil {
			return nil, err
		}
		defer device.Close()
		return p.Task.Judge(ctx, device, seed, p.onParts)
	}
	if c.simulator == nil {
		if c.simulator, err = gpu.Open(gpu.Require(shader.Simulated)); err != nil {
			return nil, err
		}
	}
	return p.Task.Judge(ctx, c.simulator, seed, p.Run)
}
