package check

import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
)

// A Backend compiles WGSL and runs it. pkg/gpu is one; a simulator can be
// another.
type Backend interface {
	Adapter() string
	Compile(name, source string) (Program, error)
}

// A Program is a compiled shader.
type Program interface {
	WorkgroupSize() [3]uint32
	// Run binds buffers, the first to @binding(0) and so on, dispatches
	// workgroups, and returns what buffer number output holds afterwards.
	Run(workgroups [3]uint32, buffers []lesson.Buffer, output int) (lesson.Buffer, error)
	Free()
}

// OnDevice is the backend that runs shaders through WebGPU.
func OnDevice(device *gpu.Device) Backend { return deviceBackend{device} }

type deviceBackend struct{ device *gpu.Device }

func (b deviceBackend) Adapter() string { return b.device.Adapter().String() }

func (b deviceBackend) Compile(name, source string) (Program, error) {
	kernel, err := b.device.Compile(name, source)
	if err != nil {
		return nil, err
	}
	return deviceProgram{b.device, kernel}, nil
}

type deviceProgram struct {
	device *gpu.Device
	kernel *gpu.Kernel
}

func (p deviceProgram) WorkgroupSize() [3]uint32 { return p.kernel.WorkgroupSize() }

func (p deviceProgram) Free() { p.kernel.Free() }

func (p deviceProgram) Run(workgroups [3]uint32, buffers []lesson.Buffer, output int) (lesson.Buffer, error) {
	bound := make([]*gpu.Buffer, len(buffers))
	for i, b := range buffers {
		buffer, err := upload(p.device, b)
		if err != nil {
			return lesson.Buffer{}, fmt.Errorf("binding %d: %w", i, err)
		}
		defer buffer.Free()
		bound[i] = buffer
	}
	pass, err := p.kernel.Pass(workgroups, bound...)
	if err != nil {
		return lesson.Buffer{}, err
	}
	defer pass.Free()
	if err := p.device.Run(pass); err != nil {
		return lesson.Buffer{}, err
	}
	return download(bound[output], buffers[output])
}

func upload(device *gpu.Device, b lesson.Buffer) (*gpu.Buffer, error) {
	switch {
	case b.Uniform != nil:
		return gpu.Uniform(device, b.Uniform...)
	case b.U32 != nil:
		return gpu.Upload(device, b.U32)
	default:
		return gpu.Upload(device, b.F32)
	}
}

func download(from *gpu.Buffer, like lesson.Buffer) (lesson.Buffer, error) {
	if like.U32 != nil {
		values, err := gpu.Read[uint32](from)
		return lesson.Buffer{U32: values}, err
	}
	values, err := gpu.Read[float32](from)
	return lesson.Buffer{F32: values}, err
}
