// Package native runs shaders through WebGPU on this machine: pkg/gpu as one of
// the engines that a check can use.
package native

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// On is the engine on an open device, which stays its caller's to close.
func On(device *gpu.Device) shader.Backend { return engine{device} }

type engine struct{ device *gpu.Device }

func (e engine) Adapter() shader.Adapter { return e.device.Adapter() }

func (e engine) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	kernel, err := e.device.WithContext(ctx).CompileSource(source)
	if err != nil {
		return nil, err
	}
	return program{e.device, kernel}, nil
}

type program struct {
	device *gpu.Device
	kernel *gpu.Kernel
}

func (p program) Free() { p.kernel.Free() }

func (p program) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	device := p.device.WithContext(ctx)
	bound := make([]*gpu.Buffer, len(d.Buffers))
	for i, content := range d.Buffers {
		buffer, err := gpu.UploadContent(device, content)
		if err != nil {
			return shader.Result{}, fmt.Errorf("binding %d: %w", i, err)
		}
		defer buffer.Free()
		bound[i] = buffer
	}
	pass, err := p.kernel.Pass(d.Workgroups, bound...)
	if err != nil {
		return shader.Result{}, err
	}
	defer pass.Free()
	if err := device.Run(pass); err != nil {
		return shader.Result{}, err
	}
	output, err := bound[d.Output].Content()
	return shader.Result{Output: output}, err
}
