//go:build js

// Package wgpu is the browser's WebGPU for Go, with the names and shapes of
// github.com/cogentcore/webgpu/wgpu. Package gpu runs shaders with it. That module supports browsers
// as well, but it lacks error scopes, compiler messages and lost devices, and returns a nil pointer
// if there is no adapter.
//
// A call waits only for promises, so the page's other work continues. No type here embeds
// js.Value: html/template makes the linker keep every method, also those of an embedded value.
package wgpu

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/wgslab/wgslab/internal/ground/fence"
)

// An Instance is the browser's WebGPU, if it has one.
type Instance struct{ value js.Value }

// CreateInstance finds the browser's WebGPU.
func CreateInstance() *Instance {
	navigator := js.Global().Get("navigator")
	if navigator.IsUndefined() {
		return &Instance{navigator}
	}
	return &Instance{navigator.Get("gpu")}
}

// An Adapter is a GPU or its replacement in software.
type Adapter struct{ value js.Value }

// RequestAdapterOptions select an adapter. The browser is always asked for its fastest.
type RequestAdapterOptions struct{ ForceFallbackAdapter bool }

// RequestAdapter returns the browser's adapter.
func (i *Instance) RequestAdapter(o *RequestAdapterOptions) (*Adapter, error) {
	if i.value.IsUndefined() {
		return nil, errors.New("this browser has no WebGPU, or not for pages from this address")
	}
	adapter, err := within(openingDeadline, i.value.Call("requestAdapter", map[string]any{
		"powerPreference": "high-performance", "forceFallbackAdapter": o != nil && o.ForceFallbackAdapter,
	}))
	if err != nil || adapter.IsNull() {
		return nil, errors.New("this browser's WebGPU finds no adapter")
	}
	return &Adapter{adapter}, nil
}

// Info returns a word that the browser says about the adapter, or "".
func (a *Adapter) Info(what string) string {
	if word := a.value.Get("info").Get(what); word.Type() == js.TypeString {
		return word.String()
	}
	return ""
}

// IsFallback reports whether the adapter says that it is software.
func (a *Adapter) IsFallback() bool { return a.value.Get("info").Get("isFallbackAdapter").Truthy() }

// Has reports whether the adapter has a feature.
func (a *Adapter) Has(feature string) bool {
	return a.value.Get("features").Call("has", feature).Bool()
}

// SubgroupSizes returns the smallest and the largest size of subgroups. Those of a browser that
// doesn't say so are WebGPU's bounds.
func (a *Adapter) SubgroupSizes() [2]uint32 {
	sizes := [2]uint32{4, 128}
	for i, name := range []string{"subgroupMinSize", "subgroupMaxSize"} {
		if size := a.value.Get("info").Get(name); size.Type() == js.TypeNumber && size.Int() > 0 {
			sizes[i] = uint32(size.Int())
		}
	}
	return sizes
}

// Limit returns the adapter's maximum of a limit.
func (a *Adapter) Limit(name string) uint64 { return uint64(a.value.Get("limits").Get(name).Float()) }

// A Device is a connection to an adapter.
type Device struct {
	value js.Value
	hear  js.Func // receives the browser's errors
}

// A DeviceDescriptor lists the limits of which a device gets the adapter's maximum, and the
// features that it gets if the adapter has them.
type DeviceDescriptor struct{ RequiredLimits, Features []string }

// RequestDevice returns a device of the adapter.
func (a *Adapter) RequestDevice(d *DeviceDescriptor) (*Device, error) {
	required, features := map[string]any{}, []any{}
	if d != nil {
		for _, name := range d.RequiredLimits {
			required[name] = a.Limit(name)
		}
		for _, name := range d.Features {
			if a.Has(name) {
				features = append(features, name)
			}
		}
	}
	device, err := within(openingDeadline, a.value.Call("requestDevice", map[string]any{"requiredLimits": required, "requiredFeatures": features}))
	return &Device{value: device}, err
}

// Listen passes on the errors that the browser reports on its own: invalid calls, and the loss of
// the device.
func (d *Device) Listen(invalid, lost func(message string)) {
	d.hear = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		invalid(arguments[0].Get("error").Get("message").String())
		arguments[0].Call("preventDefault") // else the page's console also shows it
		return nil
	})
	d.value.Call("addEventListener", "uncapturederror", d.hear)
	go func() {
		if why, err := settled(d.value.Get("lost")); err == nil && why.Get("reason").String() != "destroyed" {
			lost(why.Get("message").String())
		}
	}()
}

// Destroy frees a device that has a listener.
func (d *Device) Destroy() {
	d.value.Call("removeEventListener", "uncapturederror", d.hear)
	d.hear.Release()
	d.value.Call("destroy")
}

// openingDeadline is the time limit for the browser to provide a device.
const openingDeadline = 15 * time.Second

// settled waits for a promise.
func settled(promise js.Value) (js.Value, error) {
	var value js.Value
	o := <-settling(promise, &value)
	return value, o.Value()
}

// within waits for a promise with a deadline.
func within(deadline time.Duration, promise js.Value) (js.Value, error) {
	var value js.Value
	select {
	case o := <-settling(promise, &value):
		return value, o.Value()
	case <-time.After(deadline):
		return js.Null(), fmt.Errorf("no answer within %v", deadline)
	}
}

// settling returns a channel that receives the rejection error, or nil, when a promise is settled.
// If it was fulfilled, value then holds the result.
func settling(promise js.Value, value *js.Value) <-chan fence.Returned[error] {
	done := make(chan fence.Returned[error], 1)
	var kept, broken js.Func
	end := func(err error) {
		kept.Release()
		broken.Release()
		done <- fence.Of(err)
	}
	kept = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		*value = arguments[0]
		end(nil)
		return nil
	})
	broken = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		end(errors.New(arguments[0].Get("message").String()))
		return nil
	})
	promise.Call("then", kept, broken)
	return done
}

// A Queue receives a device's commands.
type Queue struct{ value js.Value }

// GetQueue returns the device's queue.
func (d *Device) GetQueue() *Queue { return &Queue{d.value.Get("queue")} }

// Submit submits commands.
func (q *Queue) Submit(commands ...*CommandBuffer) {
	all := make([]any, len(commands))
	for i, c := range commands {
		all[i] = c.value
	}
	q.value.Call("submit", all)
}

// Done returns a channel that receives nil when all submitted work has ended. It receives an error
// if the device is lost.
func (q *Queue) Done() <-chan fence.Returned[error] {
	return settling(q.value.Call("onSubmittedWorkDone"), new(js.Value))
}

// WriteBuffer writes bytes to a buffer.
func (q *Queue) WriteBuffer(to *Buffer, offset uint64, data []byte) {
	bytes := uint8Array.New(len(data))
	js.CopyBytesToJS(bytes, data)
	q.value.Call("writeBuffer", to.value, offset, bytes)
}

var uint8Array = js.Global().Get("Uint8Array")

// BufferUsage holds the uses of a buffer, as WebGPU's flags.
type BufferUsage uint32

// The uses of buffers.
const (
	BufferUsageMapRead BufferUsage = 0x1
	BufferUsageCopySrc BufferUsage = 0x4
	BufferUsageCopyDst BufferUsage = 0x8
	BufferUsageUniform BufferUsage = 0x40
	BufferUsageStorage BufferUsage = 0x80
)

// A BufferDescriptor describes a buffer.
type BufferDescriptor struct {
	Size  uint64
	Usage BufferUsage
}

// A Buffer is a piece of the device's memory.
type Buffer struct{ value js.Value }

// CreateBuffer makes a buffer, all zero.
func (d *Device) CreateBuffer(b *BufferDescriptor) (*Buffer, error) {
	return &Buffer{value: d.value.Call("createBuffer", map[string]any{"size": b.Size, "usage": uint32(b.Usage)})}, nil
}

// A MapMode holds the uses of mapped memory, as WebGPU's flags.
type MapMode uint32

// MapModeRead maps memory for reading.
const MapModeRead MapMode = 0x1

// Map begins to map a part of the buffer. The channel receives the error, or nil.
func (b *Buffer) Map(mode MapMode, offset, size uint64) <-chan fence.Returned[error] {
	return settling(b.value.Call("mapAsync", uint32(mode), offset, size), new(js.Value))
}

// ReadMapped copies the first bytes of a mapped buffer, and unmaps it.
func (b *Buffer) ReadMapped(into []byte) {
	js.CopyBytesToGo(into, uint8Array.New(b.value.Call("getMappedRange", 0, len(into))))
	b.value.Call("unmap")
}

// GetMappedRange returns a copy of the bytes of a mapped range. A browser returns each range once.
func (b *Buffer) GetMappedRange(offset, size uint) []byte {
	bytes := make([]byte, size)
	js.CopyBytesToGo(bytes, uint8Array.New(b.value.Call("getMappedRange", offset, size)))
	return bytes
}

// Unmap ends the mapping of the buffer.
func (b *Buffer) Unmap() { b.value.Call("unmap") }

// Destroy frees the buffer's memory.
func (b *Buffer) Destroy() { b.value.Call("destroy") }

// A ShaderModuleDescriptor describes a shader.
type ShaderModuleDescriptor struct{ WGSLDescriptor *ShaderModuleWGSLDescriptor }

// A ShaderModuleWGSLDescriptor holds a shader's text.
type ShaderModuleWGSLDescriptor struct{ Code string }

// A ShaderModule is a compiled shader.
type ShaderModule struct{ value js.Value }

// A CompilerMessage is an error that the browser's compiler found in a shader. Line and Column
// count from 1; Column and Length are in UTF-16 code units.
type CompilerMessage struct {
	Line, Column, Length int
	Text                 string
}

func (m *CompilerMessage) Error() string { return fmt.Sprintf("line %d: %s", m.Line, m.Text) }

// CreateShaderModule compiles a shader. A mistake in the shader comes back as a *CompilerMessage.
func (d *Device) CreateShaderModule(s *ShaderModuleDescriptor) (*ShaderModule, error) {
	d.value.Call("pushErrorScope", "validation")
	module := d.value.Call("createShaderModule", map[string]any{"code": s.WGSLDescriptor.Code})
	settling(d.value.Call("popErrorScope"), new(js.Value)) // the compiler's messages say more
	info, err := settled(module.Call("getCompilationInfo"))
	if err != nil {
		return nil, err
	}
	messages := info.Get("messages")
	for i := range messages.Length() {
		if m := messages.Index(i); m.Get("type").String() == "error" {
			return nil, &CompilerMessage{m.Get("lineNum").Int(), m.Get("linePos").Int(), m.Get("length").Int(), m.Get("message").String()}
		}
	}
	return &ShaderModule{module}, nil
}

// A ComputePipelineDescriptor describes a pipeline.
type ComputePipelineDescriptor struct {
	Compute ProgrammableStageDescriptor
	Buffers []BufferBinding // nil for those that the shader uses
}

// A ProgrammableStageDescriptor is a module with the function to start, and values for overrides.
type ProgrammableStageDescriptor struct {
	Module     *ShaderModule
	EntryPoint string
	Constants  map[string]float64
}

// A ComputePipeline is a shader that is ready to run.
type ComputePipeline struct{ value js.Value }

// A BufferBinding is a binding with WebGPU's name for the type of its buffer.
type BufferBinding struct {
	Group, Number uint32
	Type          string
}

// computeStage is WebGPU's flag for what compute shaders see.
const computeStage = 0x4

// CreateComputePipeline makes a pipeline.
func (d *Device) CreateComputePipeline(p *ComputePipelineDescriptor) (*ComputePipeline, error) {
	layout := any("auto")
	d.value.Call("pushErrorScope", "validation")
	if p.Buffers != nil {
		layout = d.layout(p.Buffers)
	}
	making := d.value.Call("createComputePipelineAsync", map[string]any{
		"layout":  layout,
		"compute": stage(p.Compute),
	})
	settling(d.value.Call("popErrorScope"), new(js.Value)) // the pipeline's error says more
	pipeline, err := settled(making)
	return &ComputePipeline{pipeline}, err
}

// ComputePipelineNow makes a pipeline without waiting. The device's listener hears what is wrong
// with it.
func (d *Device) ComputePipelineNow(code, entryPoint string, constants map[string]float64, buffers []BufferBinding) *ComputePipeline {
	module := &ShaderModule{d.value.Call("createShaderModule", map[string]any{"code": code})}
	return &ComputePipeline{d.value.Call("createComputePipeline", map[string]any{
		"layout": d.layout(buffers), "compute": stage(ProgrammableStageDescriptor{module, entryPoint, constants}),
	})}
}

// stage returns a stage for the browser.
func stage(p ProgrammableStageDescriptor) map[string]any {
	constants := map[string]any{}
	for key, value := range p.Constants {
		constants[key] = value
	}
	return map[string]any{"module": p.Module.value, "entryPoint": p.EntryPoint, "constants": constants}
}

// layout makes a pipeline layout with at least one group.
func (d *Device) layout(buffers []BufferBinding) js.Value {
	entries := make([][]any, 1)
	for _, b := range buffers {
		for int(b.Group) >= len(entries) {
			entries = append(entries, nil)
		}
		entries[b.Group] = append(entries[b.Group], map[string]any{"binding": b.Number, "visibility": computeStage, "buffer": map[string]any{"type": b.Type}})
	}
	groups := make([]any, len(entries))
	for i, of := range entries {
		groups[i] = d.value.Call("createBindGroupLayout", map[string]any{"entries": of})
	}
	return d.value.Call("createPipelineLayout", map[string]any{"bindGroupLayouts": groups})
}

// A BindGroupLayout lists the bindings of a group.
type BindGroupLayout struct{ value js.Value }

// GetBindGroupLayout returns the layout of one of the pipeline's groups.
func (p *ComputePipeline) GetBindGroupLayout(group uint32) *BindGroupLayout {
	return &BindGroupLayout{p.value.Call("getBindGroupLayout", group)}
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
	Offset  uint64
	Size    uint64
}

// A BindGroup assigns buffers to bindings.
type BindGroup struct{ value js.Value }

// CreateBindGroup makes a bind group.
func (d *Device) CreateBindGroup(g *BindGroupDescriptor) (*BindGroup, error) {
	entries := make([]any, len(g.Entries))
	for i, e := range g.Entries {
		entries[i] = map[string]any{"binding": e.Binding, "resource": map[string]any{"buffer": e.Buffer.value, "offset": e.Offset, "size": e.Size}}
	}
	return &BindGroup{d.value.Call("createBindGroup", map[string]any{"layout": g.Layout.value, "entries": entries})}, nil
}

// A CommandEncoder records commands.
type CommandEncoder struct{ value js.Value }

// CreateCommandEncoder makes an encoder.
func (d *Device) CreateCommandEncoder(*struct{}) (*CommandEncoder, error) {
	return &CommandEncoder{d.value.Call("createCommandEncoder")}, nil
}

// A ComputePassEncoder records the commands of a compute pass.
type ComputePassEncoder struct{ value js.Value }

// BeginComputePass begins a pass.
func (e *CommandEncoder) BeginComputePass(*struct{}) *ComputePassEncoder {
	return &ComputePassEncoder{e.value.Call("beginComputePass")}
}

// SetPipeline sets the pipeline that runs.
func (p *ComputePassEncoder) SetPipeline(pipeline *ComputePipeline) {
	p.value.Call("setPipeline", pipeline.value)
}

// SetBindGroup sets the buffers. It ignores dynamic offsets.
func (p *ComputePassEncoder) SetBindGroup(group uint32, buffers *BindGroup, _ []uint32) {
	p.value.Call("setBindGroup", group, buffers.value)
}

// DispatchWorkgroups starts workgroups.
func (p *ComputePassEncoder) DispatchWorkgroups(x, y, z uint32) {
	p.value.Call("dispatchWorkgroups", x, y, z)
}

// DispatchWorkgroupsIndirect starts as many workgroups as three u32 in a buffer say.
func (p *ComputePassEncoder) DispatchWorkgroupsIndirect(counts *Buffer, offset uint64) {
	p.value.Call("dispatchWorkgroupsIndirect", counts.value, offset)
}

// End ends the pass.
func (p *ComputePassEncoder) End() { p.value.Call("end") }

// CopyBufferToBuffer copies bytes.
func (e *CommandEncoder) CopyBufferToBuffer(from *Buffer, fromOffset uint64, to *Buffer, toOffset, size uint64) {
	e.value.Call("copyBufferToBuffer", from.value, fromOffset, to.value, toOffset, size)
}

// ClearBuffer sets bytes to zero.
func (e *CommandEncoder) ClearBuffer(buffer *Buffer, offset, size uint64) {
	e.value.Call("clearBuffer", buffer.value, offset, size)
}

// A CommandBuffer holds recorded commands.
type CommandBuffer struct{ value js.Value }

// Finish ends the recording and returns its commands.
func (e *CommandEncoder) Finish(*struct{}) (*CommandBuffer, error) {
	return &CommandBuffer{e.value.Call("finish")}, nil
}
