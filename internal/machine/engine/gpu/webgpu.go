//go:build cgo

package gpu

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

func init() {
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	// Mesa's device-select layer prints messages about the desktop session on stderr. It only sorts
	// adapters, which openWebGPU does itself.
	if os.Getenv("NODEVICE_SELECT") == "" {
		os.Setenv("NODEVICE_SELECT", "1")
	}
}

// webgpu is the platform of real drivers.
type webgpu struct {
	chosen    shader.Adapter
	mappable  bool // buffers that shaders use may be mapped
	instance  *wgpu.Instance
	selected  *wgpu.Adapter
	device    *wgpu.Device
	queue     *wgpu.Queue
	staging   *wgpu.Buffer // reused by every read
	stagingSz uint64
	idle      bool          // nothing was submitted since the device was last seen idle
	tick      time.Duration // nanoseconds a timestamp tick, times tickScale; 0 until calibrated
}

// openWebGPU opens the best adapter of a kind, or of all kinds if kind is "".
func openWebGPU(kind shader.AdapterKind) (platform, error) {
	w := &webgpu{}
	if err := w.open(kind); err != nil {
		w.releaseHandles()
		return nil, err
	}
	return w, nil
}

func (w *webgpu) open(kind shader.AdapterKind) (err error) {
	if w.instance, err = createInstance(); err != nil {
		return err
	}
	adapters := w.instance.EnumerateAdapters(nil)
	if len(adapters) == 0 {
		return fmt.Errorf("%w: no Vulkan, Metal or DX12 driver answered; install Mesa's CPU driver (Debian, Ubuntu: mesa-vulkan-drivers) or your GPU's, then run `wgslab doctor`", shader.ErrNoAdapter)
	}
	if w.selected = best(adapters, kind); w.selected == nil {
		return fmt.Errorf("%w: the drivers that answered have no %s; `wgslab doctor` says what there is", shader.ErrNoAdapter, kind)
	}
	w.chosen = describe(w.selected)
	w.mappable = w.selected.HasFeature(wgpu.NativeFeatureMappablePrimaryBuffers)
	if w.device, err = w.selected.RequestDevice(w.descriptor()); err != nil {
		return fmt.Errorf("%w: the driver of %s gave no device: %v", shader.ErrNoAdapter, w.chosen, err)
	}
	w.queue = w.device.GetQueue()
	return nil
}

// preference orders adapters; types that are not listed come last.
var preference = map[wgpu.AdapterType]int{
	wgpu.AdapterTypeDiscreteGPU: 3, wgpu.AdapterTypeIntegratedGPU: 2, wgpu.AdapterTypeCPU: 1,
}

// best picks the adapter to use, restricted to a kind if one is given, and releases the others.
func best(adapters []*wgpu.Adapter, kind shader.AdapterKind) *wgpu.Adapter {
	var chosen *wgpu.Adapter
	for _, a := range adapters {
		found := a.GetInfo().AdapterType
		if (kind == "" || kind == kindOf(found)) && (chosen == nil || preference[found] > preference[chosen.GetInfo().AdapterType]) {
			a, chosen = chosen, a
		}
		if a != nil {
			a.Release()
		}
	}
	return chosen
}

func kindOf(t wgpu.AdapterType) shader.AdapterKind {
	if t == wgpu.AdapterTypeCPU {
		return shader.CPU
	}
	return shader.GPU
}

func describe(adapter *wgpu.Adapter) shader.Adapter {
	info := adapter.GetInfo()
	return shader.Adapter{
		Name:       info.DriverDescription, // this wgpu-native puts the device's name here
		Kind:       kindOf(info.AdapterType),
		Backend:    strings.ToLower(info.BackendType.String()),
		Timestamps: adapter.HasFeature(wgpu.FeatureNameTimestampQuery),
		Limits:     adapterLimits(adapter),
	}
}

func (w *webgpu) adapter() shader.Adapter { return w.chosen }

// descriptor asks for the adapter's maximum of every limit that the lessons use.
func (w *webgpu) descriptor() *wgpu.DeviceDescriptor {
	limits, adapter := wgpu.DefaultLimits(), w.chosen.Limits
	limits.MaxBufferSize = adapter.BufferBytes
	limits.MaxStorageBufferBindingSize = adapter.StorageBindingBytes
	limits.MaxUniformBufferBindingSize = adapter.UniformBindingBytes
	limits.MaxStorageBuffersPerShaderStage = adapter.StorageBuffersPerShader
	limits.MaxComputeWorkgroupStorageSize = adapter.WorkgroupStorageBytes
	limits.MaxComputeInvocationsPerWorkgroup = adapter.InvocationsPerWorkgroup
	limits.MaxComputeWorkgroupSizeX = adapter.WorkgroupSize[0]
	limits.MaxComputeWorkgroupSizeY = adapter.WorkgroupSize[1]
	limits.MaxComputeWorkgroupSizeZ = adapter.WorkgroupSize[2]
	limits.MaxComputeWorkgroupsPerDimension = adapter.WorkgroupsPerDimension
	descriptor := &wgpu.DeviceDescriptor{RequiredLimits: &wgpu.RequiredLimits{Limits: limits}}
	if w.chosen.Timestamps {
		descriptor.RequiredFeatures = []wgpu.FeatureName{wgpu.FeatureNameTimestampQuery}
	}
	if w.mappable {
		descriptor.RequiredFeatures = append(descriptor.RequiredFeatures, wgpu.NativeFeatureMappablePrimaryBuffers)
	}
	return descriptor
}

// finish submits the pending writes and waits for all work. wgpu-native never frees a device that
// has pending writes.
func (w *webgpu) finish(d *Device) error {
	if err := w.encode(d, func(*wgpu.CommandEncoder) error { return nil }); err != nil {
		return err
	}
	return w.await(d, nil)
}

func (w *webgpu) close() {
	if w.staging != nil {
		w.staging.Release()
	}
	if _, err := w.pollNative(); err == nil { // frees released resources
		w.releaseHandles()
	}
}

func (w *webgpu) releaseHandles() {
	if w.queue != nil {
		w.queue.Release()
	}
	if w.device != nil {
		w.device.Release()
	}
	if w.selected != nil {
		w.selected.Release()
	}
	if w.instance != nil && !driverKept.CompareAndSwap(false, true) {
		w.instance.Release()
	}
}

// driverKept reports whether an instance has been kept. The first instance to be released stays
// until the end of the process instead, and with it the driver's libraries. NVIDIA's cannot be
// loaded more than about fifty times in one process.
var driverKept atomic.Bool

func (w *webgpu) wait(d *Device) error { return w.await(d, nil) }

// await polls the device until done, or until it is idle if done is nil. The deadline or the
// context ends the wait. At the deadline the device is lost, because the shader may never end.
// (wgpu's own waiting poll gives up after five seconds without an error.)
func (w *webgpu) await(d *Device, done func() bool) error {
	wait := usage.Begin()
	pause := firstPause
	for {
		idle, err := w.pollNative()
		if err != nil {
			return d.lose(err)
		}
		if done == nil && idle || done != nil && done() {
			return nil
		}
		if d.ctx.Err() != nil {
			return d.interrupted(running)
		}
		if d.late(running, wait) {
			d.failed = running.missed(d.deadline)
			return d.failed
		}
		if time.Since(wait.Began) < w.eager() {
			runtime.Gosched()
			continue
		}
		nap(pause)
		pause = min(2*pause, lastPause)
	}
}

// A wait polls without a pause at first, and then less and less often. Even a nap is long compared
// with a small pass on a GPU, but a CPU adapter needs the cores for the shader itself. time.Sleep
// would take at least a millisecond.
const (
	eagerOnGPU = 2 * time.Millisecond
	eagerOnCPU = 100 * time.Microsecond
	firstPause = 20 * time.Microsecond
	lastPause  = time.Millisecond
)

func (w *webgpu) eager() time.Duration {
	if w.chosen.Kind == shader.GPU {
		return eagerOnGPU
	}
	return eagerOnCPU
}

// A webgpuBuffer is memory of the driver.
type webgpuBuffer struct {
	*wgpu.Buffer
	shared  bool // in the host's memory, mapped between two trips of a RoundTrip
	answers bool // in the host's memory, mapped at the end of a trip
}

func (b webgpuBuffer) release() { b.Release() }

// handleOf returns the driver's part of a Buffer.
func handleOf(b *Buffer) *wgpu.Buffer { return b.memory.(webgpuBuffer).Buffer }

func (w *webgpu) newBuffer(bytes uint64, usage BufferUsage) (memory, error) {
	inHost, answers := usage&inHostMemory != 0 && w.mappable, usage&answersHost != 0 && w.mappable
	usage &^= inHostMemory | answersHost
	if inHost {
		usage |= UsageMapWrite
	}
	if answers {
		usage |= UsageMapRead
	}
	buffer, err := w.createBuffer(bytes, wgpu.BufferUsage(usage))
	return webgpuBuffer{buffer, inHost, answers}, err
}

func (w *webgpu) createBuffer(bytes uint64, usage wgpu.BufferUsage) (*wgpu.Buffer, error) {
	var buffer *wgpu.Buffer
	var err error
	if scoped := w.guarded(func() {
		buffer, err = w.device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: usage})
	}); err == nil {
		err = scoped
	}
	if err != nil {
		if buffer != nil {
			buffer.Release()
		}
		return nil, fmt.Errorf("making a buffer of %d bytes on %s: %w", bytes, w.chosen.Name, err)
	}
	return buffer, nil
}

func (w *webgpu) write(to memory, offset uint64, raw []byte) error {
	var err error
	if scoped := w.guarded(func() { err = w.queue.WriteBuffer(to.(webgpuBuffer).Buffer, offset, raw) }); err == nil {
		err = scoped
	}
	return err
}

func (w *webgpu) read(d *Device, from memory, into []byte) error {
	bytes := uint64(len(into))
	staging, err := w.stagingFor(bytes)
	if err != nil {
		return err
	}
	if err := w.encode(d, func(encoder *wgpu.CommandEncoder) error {
		return encoder.CopyBufferToBuffer(from.(webgpuBuffer).Buffer, 0, staging, 0, bytes)
	}); err != nil {
		return err
	}
	return w.copyOut(d, staging, into)
}

// stagingFor keeps one mappable buffer, as large as the largest read so far.
func (w *webgpu) stagingFor(bytes uint64) (*wgpu.Buffer, error) {
	if w.stagingSz >= bytes {
		return w.staging, nil
	}
	larger, err := w.createBuffer(bytes, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
	if err != nil {
		return nil, err
	}
	if w.staging != nil {
		w.staging.Release()
	}
	w.staging, w.stagingSz = larger, bytes
	return larger, nil
}

// copyOut maps the first len(into) bytes of staging and copies them.
func (w *webgpu) copyOut(d *Device, staging *wgpu.Buffer, into []byte) error {
	size := uint64(len(into))
	var m mapping
	if err := w.guarded(func() { m = startMapping(staging, mapRead, 0, size) }); err != nil {
		return err
	}
	if err := w.await(d, m.done); err != nil {
		// Keep the mapping's state, because its callback may still come; the next read uses a new
		// buffer.
		w.staging, w.stagingSz = nil, 0
		return err
	}
	if err := m.finish(); err != nil {
		return d.lose(err)
	}
	copy(into, staging.GetMappedRange(0, uint(size)))
	return staging.Unmap()
}

// A webgpuProgram is a shader compiled by naga and the driver.
type webgpuProgram struct {
	name     string
	module   *wgpu.ShaderModule
	layouts  []*wgpu.BindGroupLayout // by their group
	pipeline *wgpu.ComputePipeline
}

func (w *webgpu) compile(source *shader.Source, laid []wgsl.Binding) (program, error) {
	if len(source.Constants()) > 0 {
		return nil, source.Error(findings.EngineRefuses, 0, 0, 0, "this driver's interface can't set overrides")
	}
	p := &webgpuProgram{name: source.Name}
	if err := p.build(w, source, laid); err != nil {
		p.release()
		return nil, err
	}
	return p, nil
}

func (p *webgpuProgram) build(w *webgpu, source *shader.Source, laid []wgsl.Binding) (err error) {
	if p.module, err = w.compileModule(source.ForDriver()); err != nil {
		return newCompileError(source, err.Error())
	}
	if err := p.buildPipeline(w, source.EntryPoint(), layoutEntries(laid)); err != nil {
		return newCompileError(source, err.Error())
	}
	return nil
}

func (w *webgpu) compileModule(source string) (module *wgpu.ShaderModule, err error) {
	scoped := w.guarded(func() {
		module, err = w.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
			WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: source},
		})
	})
	return module, errors.Join(err, scoped)
}

func (p *webgpuProgram) buildPipeline(w *webgpu, entryPoint string, groups [][]wgpu.BindGroupLayoutEntry) error {
	var failure error
	scoped := w.guarded(func() {
		for _, entries := range groups {
			var layout *wgpu.BindGroupLayout
			if layout, failure = w.device.CreateBindGroupLayout(&wgpu.BindGroupLayoutDescriptor{Entries: entries}); failure != nil {
				return
			}
			p.layouts = append(p.layouts, layout)
		}
		var layout *wgpu.PipelineLayout
		if layout, failure = w.device.CreatePipelineLayout(&wgpu.PipelineLayoutDescriptor{BindGroupLayouts: p.layouts}); failure != nil {
			return
		}
		defer layout.Release()
		p.pipeline, failure = w.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
			Layout:  layout,
			Compute: wgpu.ProgrammableStageDescriptor{Module: p.module, EntryPoint: entryPoint},
		})
	})
	return errors.Join(failure, scoped)
}

var bindingTypes = map[wgsl.Space]wgpu.BufferBindingType{
	wgsl.Uniform:   wgpu.BufferBindingTypeUniform,
	wgsl.ReadOnly:  wgpu.BufferBindingTypeReadOnlyStorage,
	wgsl.ReadWrite: wgpu.BufferBindingTypeStorage,
}

// layoutEntries returns the entries of each bind group layout. There is at least one layout.
func layoutEntries(laid []wgsl.Binding) [][]wgpu.BindGroupLayoutEntry {
	groups := make([][]wgpu.BindGroupLayoutEntry, 1)
	for _, b := range laid {
		for int(b.Group) >= len(groups) {
			groups = append(groups, nil)
		}
		groups[b.Group] = append(groups[b.Group], wgpu.BindGroupLayoutEntry{
			Binding:    b.Number,
			Visibility: wgpu.ShaderStageCompute,
			Buffer:     wgpu.BufferBindingLayout{Type: bindingTypes[b.Space]},
		})
	}
	return groups
}

func (p *webgpuProgram) release() {
	if p.pipeline != nil {
		p.pipeline.Release()
	}
	for _, layout := range p.layouts {
		layout.Release()
	}
	if p.module != nil {
		p.module.Release()
	}
}

// A webgpuGroup is a bind group; its address identifies it.
type webgpuGroup struct{ *wgpu.BindGroup }

func (g *webgpuGroup) release() { g.Release() }

func (w *webgpu) bind(to program, number uint32, ranges []Range) (bindGroup, error) {
	entries := make([]wgpu.BindGroupEntry, len(ranges))
	for i, r := range ranges {
		entries[i] = wgpu.BindGroupEntry{Binding: r.Binding, Buffer: handleOf(r.Buffer), Offset: r.Offset, Size: r.Bytes}
	}
	return w.bindEntries(to.(*webgpuProgram), number, entries)
}

func (w *webgpu) bindEntries(to *webgpuProgram, number uint32, entries []wgpu.BindGroupEntry) (bindGroup, error) {
	var group *wgpu.BindGroup
	var err error
	scoped := w.guarded(func() {
		group, err = w.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: to.layouts[number], Entries: entries})
	})
	if err := errors.Join(err, scoped); err != nil {
		return nil, &shader.BindError{Shader: to.name, Binding: -1, Message: err.Error()}
	}
	return &webgpuGroup{group}, nil
}

func (w *webgpu) submit(d *Device, commands []QueueCommand) error {
	if err := w.encode(d, func(encoder *wgpu.CommandEncoder) error {
		for _, c := range commands {
			if err := encodeCommand(encoder, c); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if _, err := w.pollNative(); err != nil { // frees the resources of finished submissions
		return d.lose(err)
	}
	return nil
}

// encode records one command buffer and puts it on the queue. That can block: Mesa's CPU driver
// waits there for earlier submissions.
func (w *webgpu) encode(d *Device, record func(*wgpu.CommandEncoder) error) error {
	call := func() error {
		var err error
		scoped := w.guarded(func() { err = w.encodeUnguarded(record) })
		return errors.Join(err, scoped)
	}
	var err error
	if w.idle { // nothing to wait for, and a goroutine less
		err = call()
	} else {
		err = d.bounded(running, call)
	}
	switch {
	case err == nil || d.failed != nil || d.abandoned != nil:
		return err
	case errors.Is(err, errAborted):
		return d.lose(errAborted)
	}
	return fmt.Errorf("encoding commands: %w", err)
}

func (w *webgpu) encodeUnguarded(record func(*wgpu.CommandEncoder) error) error {
	commands, err := w.recordCommands(record)
	if err != nil {
		return err
	}
	w.idle = false
	if err := submitCommands(w.queue, commands); err != nil {
		return err // nothing may touch the device any more, not even to release commands
	}
	commands.Release()
	return nil
}

func (w *webgpu) recordCommands(record func(*wgpu.CommandEncoder) error) (*wgpu.CommandBuffer, error) {
	encoder, err := w.device.CreateCommandEncoder(nil)
	if err != nil {
		return nil, err
	}
	defer encoder.Release()
	if err := record(encoder); err != nil {
		return nil, err
	}
	return encoder.Finish(nil)
}
