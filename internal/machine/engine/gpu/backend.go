package gpu

import (
	"context"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Backend returns an engine that runs shaders on an open device. The caller closes the device.
func Backend(d *Device) shader.Backend { return backend{d} }

type backend struct{ device *Device }

func (b backend) Adapter() shader.Adapter { return b.device.Adapter() }

func (b backend) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	pipeline, err := b.device.WithContext(ctx).CompileSource(source)
	if err != nil {
		return nil, err
	}
	return backendProgram{b.device, pipeline}, nil
}

type backendProgram struct {
	device   *Device
	pipeline *Pipeline
}

func (p backendProgram) Free() { p.pipeline.Free() }

func (p backendProgram) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	device := p.device.WithContext(ctx)
	buffers, free, err := UploadAll(device, d.Buffers)
	defer free()
	if err != nil {
		return shader.Result{}, err
	}
	pass, err := p.pipeline.Pass(d.Workgroups, buffers...)
	if err != nil {
		return shader.Result{}, err
	}
	defer pass.Free()
	if err := device.Run(pass); err != nil {
		return shader.Result{}, err
	}
	var result shader.Result
	if result.Output, err = buffers[d.Output].Content(); err != nil {
		return shader.Result{}, err
	}
	for _, i := range d.Also {
		output, err := buffers[i].Content()
		if err != nil {
			return shader.Result{}, err
		}
		result.Also = append(result.Also, shader.Left{Output: output})
	}
	return result, nil
}
