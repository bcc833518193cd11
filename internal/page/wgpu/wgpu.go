//go:build js

// Package wgpu replaces github.com/cogentcore/webgpu/wgpu in a web page, for the cells of lessons 1
// and 2. It implements the calls that these cells make with the browser's own WebGPU. That module
// supports browsers as well, but it lacks two of the calls, and returns a nil pointer if there is
// no adapter.
package wgpu

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"
	"unsafe"
)

// A LogLevel selects the driver's messages. A browser prints none.
type LogLevel int

// LogLevelOff prints nothing.
const LogLevelOff LogLevel = 0

// SetLogLevel does nothing.
func SetLogLevel(LogLevel) {}

// An InstanceBackend selects a kind of driver. The browser makes that choice itself.
type InstanceBackend int

// InstanceBackendPrimary leaves the choice to the browser.
const InstanceBackendPrimary InstanceBackend = 0

// An InstanceDescriptor selects the kinds of drivers to consider.
type InstanceDescriptor struct{ Backends InstanceBackend }

// An Instance is the browser's WebGPU, if it has one.
type Instance struct{ js.Value }

// CreateInstance finds the browser's WebGPU.
func CreateInstance(*InstanceDescriptor) *Instance {
	return &Instance{js.Global().Get("navigator").Get("gpu")}
}

// An Adapter is a GPU or its replacement in software.
type Adapter struct{ js.Value }

// RequestAdapter returns the browser's adapter.
func (i *Instance) RequestAdapter(*struct{}) (*Adapter, error) {
	if i.IsUndefined() {
		return nil, errors.New("this browser has no WebGPU")
	}
	adapter, err := settled(i.Call("requestAdapter"))
	if err != nil || adapter.IsNull() {
		return nil, errors.New("this browser's WebGPU finds no adapter")
	}
	return &Adapter{adapter}, nil
}

// A Device is a connection to an adapter.
type Device struct{ js.Value }

// RequestDevice returns a device of the adapter.
func (a *Adapter) RequestDevice(*struct{}) (*Device, error) {
	device, err := settled(a.Call("requestDevice"))
	return &Device{device}, err
}

// settled waits for a promise and returns its value.
func settled(promise js.Value) (value js.Value, err error) {
	done := make(chan struct{})
	kept := js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		value = arguments[0]
		close(done)
		return nil
	})
	broken := js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		err = errors.New(arguments[0].Get("message").String())
		close(done)
		return nil
	})
	defer kept.Release()
	defer broken.Release()
	promise.Call("then", kept, broken)
	<-done
	return value, err
}

// Poll lets the browser work on its pending requests.
func (d *Device) Poll(bool, *struct{}) bool {
	time.Sleep(time.Millisecond)
	return false
}

// A Queue receives a device's commands.
type Queue struct{ js.Value }

// GetQueue returns the device's queue.
func (d *Device) GetQueue() *Queue { return &Queue{d.Get("queue")} }

// Submit submits commands.
func (q *Queue) Submit(commands ...*CommandBuffer) {
	all := make([]any, len(commands))
	for i, c := range commands {
		all[i] = c.Value
	}
	q.Call("submit", all)
}

// BufferUsage holds the uses of a buffer, as WebGPU's flags.
type BufferUsage uint32

// The uses of buffers.
const (
	BufferUsageMapRead BufferUsage = 0x1
	BufferUsageCopySrc BufferUsage = 0x4
	BufferUsageCopyDst BufferUsage = 0x8
	BufferUsageStorage BufferUsage = 0x80
)

// A BufferDescriptor describes a buffer.
type BufferDescriptor struct {
	Size  uint64
	Usage BufferUsage
}

// A BufferInitDescriptor describes a buffer that starts with some bytes.
type BufferInitDescriptor struct {
	Contents []byte
	Usage    BufferUsage
}

// A Buffer is a piece of the device's memory.
type Buffer struct {
	js.Value
	mapped map[[2]uint]js.Value // the requested ranges: a browser returns each only once
}

// CreateBuffer makes a buffer, all zero.
func (d *Device) CreateBuffer(b *BufferDescriptor) (*Buffer, error) {
	return &Buffer{Value: d.Call("createBuffer", map[string]any{"size": b.Size, "usage": uint32(b.Usage)})}, nil
}

// CreateBufferInit makes a buffer that starts with some bytes.
func (d *Device) CreateBufferInit(b *BufferInitDescriptor) (*Buffer, error) {
	buffer := d.Call("createBuffer", map[string]any{"size": len(b.Contents), "usage": uint32(b.Usage), "mappedAtCreation": true})
	js.CopyBytesToJS(js.Global().Get("Uint8Array").New(buffer.Call("getMappedRange")), b.Contents)
	buffer.Call("unmap")
	return &Buffer{Value: buffer}, nil
}

// GetSize returns the size of the buffer in bytes.
func (b *Buffer) GetSize() uint64 { return uint64(b.Get("size").Int()) }

// A MapMode holds the uses of mapped memory, as WebGPU's flags.
type MapMode uint32

// MapModeRead maps memory for reading.
const MapModeRead MapMode = 0x1

// A BufferMapAsyncStatus is the result of mapping a buffer.
type BufferMapAsyncStatus uint32

// The results of mapping a buffer.
const (
	BufferMapAsyncStatusSuccess BufferMapAsyncStatus = iota
	BufferMapAsyncStatusValidationError
)

// MapAsync begins to map a part of the buffer, and calls then with the result.
func (b *Buffer) MapAsync(mode MapMode, offset, size uint64, then func(BufferMapAsyncStatus)) error {
	mapping := b.Call("mapAsync", uint32(mode), offset, size)
	go func() {
		status := BufferMapAsyncStatusSuccess
		if _, err := settled(mapping); err != nil {
			status = BufferMapAsyncStatusValidationError
		}
		then(status)
	}()
	return nil
}

// GetMappedRange returns the bytes of a part of the buffer.
func (b *Buffer) GetMappedRange(offset, size uint) []byte {
	asked := [2]uint{offset, size}
	if b.mapped == nil {
		b.mapped = map[[2]uint]js.Value{}
	}
	if _, known := b.mapped[asked]; !known {
		b.mapped[asked] = js.Global().Get("Uint8Array").New(b.Call("getMappedRange", offset, size))
	}
	bytes := make([]byte, size)
	js.CopyBytesToGo(bytes, b.mapped[asked])
	return bytes
}

// ToBytes returns the bytes of values in their memory order.
func ToBytes[E any](values []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(E))))
}

// FromBytes returns the values that bytes hold in memory order.
func FromBytes[E any](bytes []byte) []E {
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes)/int(unsafe.Sizeof(*new(E))))
}

// A ShaderModuleDescriptor describes a shader.
type ShaderModuleDescriptor struct{ WGSLDescriptor *ShaderModuleWGSLDescriptor }

// A ShaderModuleWGSLDescriptor holds a shader's text.
type ShaderModuleWGSLDescriptor struct{ Code string }

// A ShaderModule is a compiled shader.
type ShaderModule struct{ js.Value }

// CreateShaderModule compiles a shader.
func (d *Device) CreateShaderModule(s *ShaderModuleDescriptor) (*ShaderModule, error) {
	module := d.Call("createShaderModule", map[string]any{"code": s.WGSLDescriptor.Code})
	info, err := settled(module.Call("getCompilationInfo"))
	if err != nil {
		return nil, err
	}
	messages := info.Get("messages")
	for i := range messages.Length() {
		if m := messages.Index(i); m.Get("type").String() == "error" {
			return nil, fmt.Errorf("line %d: %s", m.Get("lineNum").Int(), m.Get("message").String())
		}
	}
	return &ShaderModule{module}, nil
}

// A ComputePipelineDescriptor describes a pipeline.
type ComputePipelineDescriptor struct{ Compute ProgrammableStageDescriptor }

// A ProgrammableStageDescriptor is a module with the function to start.
type ProgrammableStageDescriptor struct {
	Module     *ShaderModule
	EntryPoint string
}

// A ComputePipeline is a shader that is ready to run.
type ComputePipeline struct{ js.Value }

// CreateComputePipeline makes a pipeline.
func (d *Device) CreateComputePipeline(p *ComputePipelineDescriptor) (*ComputePipeline, error) {
	pipeline, err := settled(d.Call("createComputePipelineAsync", map[string]any{
		"layout":  "auto",
		"compute": map[string]any{"module": p.Compute.Module.Value, "entryPoint": p.Compute.EntryPoint},
	}))
	return &ComputePipeline{pipeline}, err
}

// A BindGroupLayout lists the bindings of a group.
type BindGroupLayout struct{ js.Value }

// GetBindGroupLayout returns the layout of one of the pipeline's groups.
func (p *ComputePipeline) GetBindGroupLayout(group uint32) *BindGroupLayout {
	return &BindGroupLayout{p.Call("getBindGroupLayout", group)}
}

// A BindGroupDescriptor describes a bind group.
type BindGroupDescriptor struct {
	Layout  *BindGroupLayout
	Entries []BindGroupEntry
}

// A BindGroupEntry assigns a buffer to a binding.
type BindGroupEntry struct {
	Binding uint32
	Buffer  *Buffer
	Size    uint64
}

// A BindGroup assigns buffers to bindings.
type BindGroup struct{ js.Value }

// CreateBindGroup makes a bind group.
func (d *Device) CreateBindGroup(g *BindGroupDescriptor) (*BindGroup, error) {
	entries := make([]any, len(g.Entries))
	for i, e := range g.Entries {
		entries[i] = map[string]any{"binding": e.Binding, "resource": map[string]any{"buffer": e.Buffer.Value, "size": e.Size}}
	}
	return &BindGroup{d.Call("createBindGroup", map[string]any{"layout": g.Layout.Value, "entries": entries})}, nil
}

// A CommandEncoder records commands.
type CommandEncoder struct{ js.Value }

// CreateCommandEncoder makes an encoder.
func (d *Device) CreateCommandEncoder(*struct{}) (*CommandEncoder, error) {
	return &CommandEncoder{d.Call("createCommandEncoder")}, nil
}

// A ComputePassEncoder records the commands of a compute pass.
type ComputePassEncoder struct{ js.Value }

// BeginComputePass begins a pass.
func (e *CommandEncoder) BeginComputePass(*struct{}) *ComputePassEncoder {
	return &ComputePassEncoder{e.Call("beginComputePass")}
}

// SetPipeline sets the pipeline that runs.
func (p *ComputePassEncoder) SetPipeline(pipeline *ComputePipeline) {
	p.Call("setPipeline", pipeline.Value)
}

// SetBindGroup sets the buffers. It ignores dynamic offsets.
func (p *ComputePassEncoder) SetBindGroup(group uint32, buffers *BindGroup, _ []uint32) {
	p.Call("setBindGroup", group, buffers.Value)
}

// DispatchWorkgroups starts workgroups.
func (p *ComputePassEncoder) DispatchWorkgroups(x, y, z uint32) {
	p.Call("dispatchWorkgroups", x, y, z)
}

// End ends the pass.
func (p *ComputePassEncoder) End() { p.Call("end") }

// CopyBufferToBuffer copies bytes.
func (e *CommandEncoder) CopyBufferToBuffer(from *Buffer, fromOffset uint64, to *Buffer, toOffset, size uint64) {
	e.Call("copyBufferToBuffer", from.Value, fromOffset, to.Value, toOffset, size)
}

// A CommandBuffer holds recorded commands.
type CommandBuffer struct{ js.Value }

// Finish ends the recording and returns its commands.
func (e *CommandEncoder) Finish(*struct{}) (*CommandBuffer, error) {
	return &CommandBuffer{e.Call("finish")}, nil
}
