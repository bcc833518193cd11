package webgpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A world is a device on the simulator, with short calls for tests.
type world struct {
	t        testing.TB
	engine   *gpu.Device
	instance *webgpu.Instance
	adapter  *webgpu.Adapter
	*webgpu.Device
}

func newWorld(t testing.TB, dialect *webgpu.Dialect) *world {
	engine, err := gpu.Open(gpu.Require(shader.Simulated))
	require.NoError(t, err)
	t.Cleanup(engine.Close)
	w := &world{t: t, engine: engine}
	w.instance = webgpu.NewInstance(here(), webgpu.Options{Dialect: dialect, Record: webgpu.NewRecord(), Open: func(shader.AdapterKind) (*gpu.Device, error) { return engine, nil }})
	w.adapter, err = w.instance.RequestAdapter(here(), false)
	require.NoError(t, err)
	w.Device, err = w.adapter.RequestDevice(here(), webgpu.DeviceDescriptor{Features: []webgpu.FeatureName{webgpu.FeatureTimestampQuery}})
	require.NoError(t, err)
	return w
}

// here is the place in the test that calls the function which calls here.
func here() webgpu.HostSite { return webgpu.Caller(2) }

const (
	mapRead  = gpu.UsageMapRead
	mapWrite = gpu.UsageMapWrite
	copySrc  = gpu.UsageCopySrc
	copyDst  = gpu.UsageCopyDst
	uniform  = gpu.UsageUniform
	storage  = gpu.UsageStorage
	indirect = gpu.UsageIndirect
	resolve  = gpu.UsageQueryResolve
	all      = storage | copySrc | copyDst
	readback = mapRead | copyDst
)

// unheard is the callback of a mapping whose end doesn't matter.
func unheard(webgpu.MapStatus) {}

func (w *world) try(size uint64, usage gpu.BufferUsage) error {
	_, err := w.CreateBuffer(here(), webgpu.BufferDescriptor{Size: size, Usage: usage})
	return err
}

func (w *world) buffer(size uint64, usage gpu.BufferUsage) *webgpu.Buffer {
	b, err := w.CreateBuffer(here(), webgpu.BufferDescriptor{Size: size, Usage: usage, Label: "x"})
	require.NoError(w.t, err)
	return b
}

// mapped returns a mapped buffer.
func (w *world) mapped(size uint64) *webgpu.Buffer {
	b := w.buffer(size, readback)
	require.NoError(w.t, b.MapAsync(here(), webgpu.MapModeRead, 0, size, unheard))
	_, err := w.Poll(true)
	require.NoError(w.t, err)
	return b
}

func (w *world) module(code string) *webgpu.ShaderModule {
	m, err := w.CreateShaderModule(here(), "", code)
	require.NoError(w.t, err)
	return m
}

func (w *world) pipe(code string, layout *webgpu.PipelineLayout) (*webgpu.ComputePipeline, error) {
	return w.CreateComputePipeline(here(), webgpu.PipelineDescriptor{Module: w.module(code), EntryPoint: "main", Layout: layout})
}

func (w *world) pipeline(code string) *webgpu.ComputePipeline {
	p, err := w.pipe(code, nil)
	require.NoError(w.t, err)
	return p
}

func (w *world) layoutOf(entries ...webgpu.BindGroupLayoutEntry) (*webgpu.BindGroupLayout, error) {
	return w.CreateBindGroupLayout(here(), "", entries)
}

func (w *world) layout(entries ...webgpu.BindGroupLayoutEntry) *webgpu.BindGroupLayout {
	l, err := w.layoutOf(entries...)
	require.NoError(w.t, err)
	return l
}

func (w *world) pipelineLayout(groups ...*webgpu.BindGroupLayout) *webgpu.PipelineLayout {
	l, err := w.CreatePipelineLayout(here(), "", groups)
	require.NoError(w.t, err)
	return l
}

func entry(binding uint32, kind webgpu.BufferBindingType) webgpu.BindGroupLayoutEntry {
	return webgpu.BindGroupLayoutEntry{Binding: binding, Visibility: webgpu.ShaderStageCompute, Buffer: webgpu.BufferBindingLayout{Type: kind}}
}

func dynamic(e webgpu.BindGroupLayoutEntry) webgpu.BindGroupLayoutEntry {
	e.Buffer.HasDynamicOffset = true
	return e
}

func atLeast(e webgpu.BindGroupLayoutEntry, bytes uint64) webgpu.BindGroupLayoutEntry {
	e.Buffer.MinBindingSize = bytes
	return e
}

const (
	isUniform  = webgpu.BufferBindingTypeUniform
	isStorage  = webgpu.BufferBindingTypeStorage
	isReadOnly = webgpu.BufferBindingTypeReadOnlyStorage
)

func (w *world) groupOf(layout *webgpu.BindGroupLayout, entries ...webgpu.BindGroupEntry) (*webgpu.BindGroup, error) {
	return w.CreateBindGroup(here(), "", layout, entries)
}

func (w *world) group(layout *webgpu.BindGroupLayout, buffers ...*webgpu.Buffer) *webgpu.BindGroup {
	var entries []webgpu.BindGroupEntry
	for i, b := range buffers {
		entries = append(entries, webgpu.BindGroupEntry{Binding: uint32(i), Buffer: b, Size: b.Size})
	}
	g, err := w.groupOf(layout, entries...)
	require.NoError(w.t, err)
	return g
}

func (w *world) first(p *webgpu.ComputePipeline) *webgpu.BindGroupLayout {
	l, err := p.BindGroupLayout(here(), 0)
	require.NoError(w.t, err)
	return l
}

func (w *world) encoder() *webgpu.CommandEncoder {
	e, err := w.CreateCommandEncoder(here(), "")
	require.NoError(w.t, err)
	return e
}

func (w *world) pass() (*webgpu.CommandEncoder, *webgpu.ComputePassEncoder) {
	e := w.encoder()
	p, err := e.BeginComputePass(here(), "", nil)
	require.NoError(w.t, err)
	return e, p
}

func (w *world) finish(e *webgpu.CommandEncoder) *webgpu.CommandBuffer {
	c, err := e.Finish(here(), "")
	require.NoError(w.t, err)
	return c
}

func (w *world) submit(commands ...*webgpu.CommandBuffer) error {
	return w.Queue().Submit(here(), commands)
}

func (w *world) copying(from, to *webgpu.Buffer, bytes uint64) *webgpu.CommandBuffer {
	e := w.encoder()
	require.NoError(w.t, e.CopyBufferToBuffer(here(), from, 0, to, 0, bytes))
	return w.finish(e)
}

func (w *world) queries(count uint32) *webgpu.QuerySet {
	q, err := w.CreateQuerySet(here(), "", webgpu.QueryTypeTimestamp, count)
	require.NoError(w.t, err)
	return q
}

// plain is another device, without features.
func (w *world) plain() *world {
	other := *w
	var err error
	other.adapter, err = w.instance.RequestAdapter(here(), false)
	require.NoError(w.t, err)
	other.Device, err = other.adapter.RequestDevice(here(), webgpu.DeviceDescriptor{})
	require.NoError(w.t, err)
	return &other
}
