package check

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// pieces are the four functions of a learner's host file. Those that aren't given do what the
// references do. Package webgpu doesn't take their lines for the learner's.
type pieces struct {
	ownOpen     func() (*wgpu.Device, error)
	ownUpload   func(*wgpu.Device, []byte, wgpu.BufferUsage) *wgpu.Buffer
	ownPipeline func(*wgpu.Device, string) *wgpu.ComputePipeline
	ownRun      func(*wgpu.Device, *wgpu.ComputePipeline, uint32, uint32, ...*wgpu.Buffer)
	ownRead     func(*wgpu.Device, *wgpu.Buffer) []byte
}

// take takes a function for a piece; ok is false if it has another type.
func (p *pieces) take(name string, function any) (ok bool) {
	switch name {
	case "openDevice":
		p.ownOpen, ok = function.(func() (*wgpu.Device, error))
	case "upload":
		p.ownUpload, ok = function.(func(*wgpu.Device, []byte, wgpu.BufferUsage) *wgpu.Buffer)
	case "pipeline":
		p.ownPipeline, ok = function.(func(*wgpu.Device, string) *wgpu.ComputePipeline)
	case "run":
		p.ownRun, ok = function.(func(*wgpu.Device, *wgpu.ComputePipeline, uint32, uint32, ...*wgpu.Buffer))
	case "read":
		p.ownRead, ok = function.(func(*wgpu.Device, *wgpu.Buffer) []byte)
	}
	return ok
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// open lets the learner's function open the device of a case, which may have no adapter.
func (p *pieces) open(t *host.HostTask) host.LearnersFunction {
	return func(c host.Case, on func(string)) ([]float64, error) {
		if !c.Hidden {
			instance := wgpu.CreateInstance(nil)
			defer instance.Release()
			adapter, err := instance.RequestAdapter(nil)
			if err != nil {
				return nil, errors.Join(errNoDevice, err)
			}
			on(adapter.GetInfo().DriverDescription)
			adapter.Release()
		}
		device, err := p.ownOpen()
		switch {
		case c.Hidden && err != nil:
			return []float64{1}, nil
		case c.Hidden:
			return []float64{0}, nil
		case err != nil:
			panic(fmt.Errorf("it returned the error %w, though there is an adapter", err))
		case device == nil:
			panic(&host.EmptyPiece{Name: t.Work.Function, Lacks: "device"})
		}
		defer device.Release()
		return numbers([]reflect.Value{reflect.ValueOf(p.whole(device, t.Whole(c)))}), nil
	}
}

// whole puts the pieces together, and returns the result of the computation.
func (p *pieces) whole(device *wgpu.Device, w host.Whole) any {
	var buffers []*wgpu.Buffer
	for _, b := range w.Bindings {
		usage := wgpu.BufferUsageStorage
		if b.Uniform {
			usage = wgpu.BufferUsageUniform
		}
		if b.Result {
			usage |= wgpu.BufferUsageCopySrc
		}
		buffer := p.upload(device, slices.Clone(b.Bytes), usage)
		defer buffer.Release()
		buffers = append(buffers, buffer)
	}
	pipeline := p.pipeline(device, w.WGSL)
	defer pipeline.Release()
	p.run(device, pipeline, w.Workgroups[0], w.Workgroups[1], buffers...)
	read := p.read(device, buffers[w.Result])
	if len(read)%4 != 0 {
		panic(fmt.Errorf("read returned %d bytes, and a number has 4", len(read)))
	}
	if w.Uints {
		return slices.Clone(wgpu.FromBytes[uint32](read))
	}
	return slices.Clone(wgpu.FromBytes[float32](read))
}

func (p *pieces) upload(device *wgpu.Device, data []byte, usage wgpu.BufferUsage) *wgpu.Buffer {
	if p.ownUpload == nil {
		return must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{Contents: data, Usage: usage}))
	}
	buffer := p.ownUpload(device, data, usage)
	if buffer == nil {
		panic(&host.EmptyPiece{Name: "upload", Lacks: "buffer"})
	}
	return buffer
}

func (p *pieces) pipeline(device *wgpu.Device, shader string) *wgpu.ComputePipeline {
	if p.ownPipeline != nil {
		pipeline := p.ownPipeline(device, shader)
		if pipeline == nil {
			panic(&host.EmptyPiece{Name: "pipeline", Lacks: "pipeline"})
		}
		return pipeline
	}
	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader}}))
	defer module.Release()
	return must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"}}))
}

func (p *pieces) run(device *wgpu.Device, pipeline *wgpu.ComputePipeline, x, y uint32, buffers ...*wgpu.Buffer) {
	if p.ownRun != nil {
		p.ownRun(device, pipeline, x, y, buffers...)
		return
	}
	var entries []wgpu.BindGroupEntry
	for i, b := range buffers {
		entries = append(entries, wgpu.BindGroupEntry{Binding: uint32(i), Buffer: b, Size: b.GetSize()})
	}
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: pipeline.GetBindGroupLayout(0), Entries: entries}))
	defer group.Release()
	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(x, y, 1)
	if err := pass.End(); err != nil {
		panic(err)
	}
	device.GetQueue().Submit(must(encoder.Finish(nil)))
}

func (p *pieces) read(device *wgpu.Device, buffer *wgpu.Buffer) []byte {
	if p.ownRead != nil {
		return p.ownRead(device, buffer)
	}
	bytes := buffer.GetSize()
	readback := must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst}))
	defer readback.Release()
	encoder := must(device.CreateCommandEncoder(nil))
	encoder.CopyBufferToBuffer(buffer, 0, readback, 0, bytes)
	device.GetQueue().Submit(must(encoder.Finish(nil)))
	mapped := false
	if err := readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true }); err != nil {
		panic(err)
	}
	for !mapped {
		device.Poll(true, nil)
	}
	return slices.Clone(readback.GetMappedRange(0, uint(bytes)))
}
