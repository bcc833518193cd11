// The programs of the test that runs one source on this package and on cogentcore's. Each prints its
// name and its result.
package main

import (
	"encoding/hex"
	"fmt"
	"os"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

const vectorAdd = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) { out[id.x] = a[id.x] + b[id.x]; }
}`

const saxpy = `
struct Params { alpha: f32, n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.n) { y[id.x] = params.alpha * x[id.x] + y[id.x]; }
}`

const table = `
struct Size { width: u32, height: u32 }
@group(0) @binding(0) var<uniform> size: Size;
@group(1) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < size.width && id.y < size.height) { out[id.y * size.width + id.x] = id.y * 100u + id.x; }
}`

const double = `
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&y)) { y[id.x] = 2u * x[id.x] + 1u; }
}`

const (
	storage  = wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc | wgpu.BufferUsageCopyDst
	readback = wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst
)

// A host is what the programs share.
type host struct {
	device *wgpu.Device
	queue  *wgpu.Queue
	times  bool
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	instance := wgpu.CreateInstance(&wgpu.InstanceDescriptor{Backends: wgpu.InstanceBackendPrimary})
	adapter, err := instance.RequestAdapter(&wgpu.RequestAdapterOptions{PowerPreference: wgpu.PowerPreferenceHighPerformance})
	if err != nil {
		fmt.Println("no adapter:", err)
		os.Exit(3)
	}
	desc := &wgpu.DeviceDescriptor{Label: "programs"}
	times := adapter.HasFeature(wgpu.FeatureNameTimestampQuery)
	if times {
		desc.RequiredFeatures = []wgpu.FeatureName{wgpu.FeatureNameTimestampQuery}
	}
	h := host{device: must(adapter.RequestDevice(desc)), times: times}
	h.queue = h.device.GetQueue()
	programs := map[string]func(host){
		"vector-add": vectorAddProgram, "saxpy": saxpyProgram, "two-dimensions": tableProgram, "four-passes": chainProgram,
		"indirect": indirectProgram, "copies": copiesProgram, "layouts": layoutsProgram, "timestamps": timestampsProgram, "errors": errorsProgram,
	}
	names := []string{"vector-add", "saxpy", "two-dimensions", "four-passes", "indirect", "copies", "layouts", "timestamps", "errors"}
	if len(os.Args) > 1 {
		names = os.Args[1:]
	}
	for _, name := range names {
		programs[name](h)
	}
	h.queue.Release()
	h.device.Release()
	adapter.Release()
	instance.Release()
}

func floats(n int, at func(int) float32) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = at(i)
	}
	return values
}

func (h host) upload(usage wgpu.BufferUsage, contents []byte) *wgpu.Buffer {
	return must(h.device.CreateBufferInit(&wgpu.BufferInitDescriptor{Contents: contents, Usage: usage}))
}

func (h host) buffer(usage wgpu.BufferUsage, size uint64) *wgpu.Buffer {
	return must(h.device.CreateBuffer(&wgpu.BufferDescriptor{Size: size, Usage: usage}))
}

func (h host) pipeline(code string) *wgpu.ComputePipeline {
	module := must(h.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: code}}))
	defer module.Release()
	return must(h.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"}}))
}

func (h host) bind(layout *wgpu.BindGroupLayout, buffers ...*wgpu.Buffer) *wgpu.BindGroup {
	entries := make([]wgpu.BindGroupEntry, len(buffers))
	for i, b := range buffers {
		entries[i] = wgpu.BindGroupEntry{Binding: uint32(i), Buffer: b, Size: b.GetSize()}
	}
	return must(h.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: layout, Entries: entries}))
}

// read submits the commands and prints what is in a buffer with the usage MapRead.
func (h host) read(name string, encoder *wgpu.CommandEncoder, from *wgpu.Buffer) []byte {
	size := from.GetSize()
	back := h.buffer(readback, size)
	check(encoder.CopyBufferToBuffer(from, 0, back, 0, size))
	commands := must(encoder.Finish(nil))
	h.queue.Submit(commands)
	commands.Release()
	encoder.Release()
	status := wgpu.BufferMapAsyncStatusUnknown
	check(back.MapAsync(wgpu.MapModeRead, 0, size, func(s wgpu.BufferMapAsyncStatus) { status = s }))
	for status == wgpu.BufferMapAsyncStatusUnknown {
		h.device.Poll(false, nil)
	}
	result := append([]byte{}, back.GetMappedRange(0, uint(size))...)
	check(back.Unmap())
	back.Release()
	if name != "" {
		fmt.Println(name, status == wgpu.BufferMapAsyncStatusSuccess, hex.EncodeToString(result))
	}
	return result
}

func (h host) encoder() *wgpu.CommandEncoder { return must(h.device.CreateCommandEncoder(nil)) }

func vectorAddProgram(h host) {
	for _, n := range []int{1, 63, 64, 65, 1000} {
		a := h.upload(storage, wgpu.ToBytes(floats(n, func(i int) float32 { return float32(i) / 3 })))
		b := h.upload(storage, wgpu.ToBytes(floats(n, func(i int) float32 { return float32(n-i) * 1.1 })))
		out := h.buffer(storage, uint64(4*n))
		pipeline := h.pipeline(vectorAdd)
		group := h.bind(pipeline.GetBindGroupLayout(0), a, b, out)
		encoder := h.encoder()
		pass := encoder.BeginComputePass(nil)
		pass.SetPipeline(pipeline)
		pass.SetBindGroup(0, group, nil)
		pass.DispatchWorkgroups(uint32(n+63)/64, 1, 1)
		check(pass.End())
		h.read(fmt.Sprint("vector-add ", n), encoder, out)
		for _, r := range []interface{ Release() }{pass, group, pipeline, a, b, out} {
			r.Release()
		}
	}
}

func saxpyProgram(h host) {
	const n = 100
	x := h.upload(storage, wgpu.ToBytes(floats(n, func(i int) float32 { return float32(i) })))
	y := h.buffer(storage, 4*n)
	check(h.queue.WriteBuffer(y, 0, wgpu.ToBytes(floats(n, func(i int) float32 { return -float32(i) / 7 }))))
	params := h.buffer(wgpu.BufferUsageUniform|wgpu.BufferUsageCopyDst, 8)
	check(h.queue.WriteBuffer(params, 0, wgpu.ToBytes([]float32{2.5})))
	check(h.queue.WriteBuffer(params, 4, wgpu.ToBytes([]uint32{90})))
	pipeline := h.pipeline(saxpy)
	group := h.bind(pipeline.GetBindGroupLayout(0), params, x, y)
	encoder := h.encoder()
	pass := encoder.BeginComputePass(&wgpu.ComputePassDescriptor{Label: "saxpy"})
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(2, 1, 1)
	check(pass.End())
	pass.Release()
	h.read("saxpy", encoder, y)
}

func tableProgram(h host) {
	size := h.upload(wgpu.BufferUsageUniform, wgpu.ToBytes([]uint32{13, 7}))
	out := h.buffer(storage, 13*7*4)
	pipeline := h.pipeline(table)
	first, second := h.bind(pipeline.GetBindGroupLayout(0), size), h.bind(pipeline.GetBindGroupLayout(1), out)
	encoder := h.encoder()
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(1, second, nil)
	pass.SetBindGroup(0, first, nil)
	pass.DispatchWorkgroups(2, 2, 1)
	check(pass.End())
	pass.Release()
	h.read("two-dimensions", encoder, out)
}

func chainProgram(h host) {
	const n = 40
	a, b := h.buffer(storage, 4*n), h.buffer(storage, 4*n)
	pipeline := h.pipeline(double)
	layout := pipeline.GetBindGroupLayout(0)
	there, back := h.bind(layout, a, b), h.bind(layout, b, a)
	encoder := h.encoder()
	for _, group := range []*wgpu.BindGroup{there, back, there, back} {
		pass := encoder.BeginComputePass(nil)
		pass.SetPipeline(pipeline)
		pass.SetBindGroup(0, group, nil)
		pass.DispatchWorkgroups(3, 1, 1)
		check(pass.End())
		pass.Release()
	}
	h.read("four-passes", encoder, a)
}

func indirectProgram(h host) {
	const n = 64
	x, y := h.buffer(storage, 4*n), h.buffer(storage, 4*n)
	counts := h.upload(wgpu.BufferUsageIndirect, wgpu.ToBytes([]uint32{9, 2, 1, 1}))
	pipeline := h.pipeline(double)
	group := h.bind(pipeline.GetBindGroupLayout(0), x, y)
	encoder := h.encoder()
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroupsIndirect(counts, 4)
	check(pass.End())
	pass.Release()
	h.read("indirect", encoder, y)
}

func copiesProgram(h host) {
	a := h.upload(storage, wgpu.ToBytes([]uint32{1, 2, 3, 4, 5, 6, 7, 8}))
	b := h.upload(storage, wgpu.ToBytes([]uint32{10, 20, 30, 40, 50, 60, 70, 80}))
	encoder := h.encoder()
	check(encoder.CopyBufferToBuffer(a, 8, b, 16, 12))
	check(encoder.ClearBuffer(b, 4, 8))
	check(encoder.CopyBufferToBuffer(b, 16, a, 0, 4))
	check(encoder.CopyBufferToBuffer(a, 0, b, 0, 4))
	h.read("copies", encoder, b)
}

func layoutsProgram(h host) {
	entry := func(binding uint32, kind wgpu.BufferBindingType, dynamic bool) wgpu.BindGroupLayoutEntry {
		return wgpu.BindGroupLayoutEntry{Binding: binding, Visibility: wgpu.ShaderStageCompute, Buffer: wgpu.BufferBindingLayout{Type: kind, HasDynamicOffset: dynamic}}
	}
	groups := must(h.device.CreateBindGroupLayout(&wgpu.BindGroupLayoutDescriptor{Entries: []wgpu.BindGroupLayoutEntry{
		entry(0, wgpu.BufferBindingTypeReadOnlyStorage, true), entry(1, wgpu.BufferBindingTypeStorage, false),
	}}))
	layout := must(h.device.CreatePipelineLayout(&wgpu.PipelineLayoutDescriptor{BindGroupLayouts: []*wgpu.BindGroupLayout{groups}}))
	module := must(h.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: double}}))
	pipeline := must(h.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Layout: layout, Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"}}))
	words := make([]uint32, 128)
	for i := range words {
		words[i] = uint32(i)
	}
	x, y := h.upload(storage, wgpu.ToBytes(words)), h.buffer(storage, 64)
	group := must(h.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: groups, Entries: []wgpu.BindGroupEntry{
		{Binding: 0, Buffer: x, Size: 64}, {Binding: 1, Buffer: y, Size: wgpu.WholeSize},
	}}))
	encoder := h.encoder()
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, []uint32{256})
	pass.DispatchWorkgroups(1, 1, 1)
	check(pass.End())
	pass.Release()
	h.read("layouts", encoder, y)
}

func timestampsProgram(h host) {
	if !h.times {
		fmt.Println("timestamps true, as far as there are any")
		return
	}
	queries := must(h.device.CreateQuerySet(&wgpu.QuerySetDescriptor{Type: wgpu.QueryTypeTimestamp, Count: 2}))
	resolved := h.buffer(wgpu.BufferUsageQueryResolve|wgpu.BufferUsageCopySrc, 16)
	x, y := h.buffer(storage, 4096), h.buffer(storage, 4096)
	pipeline := h.pipeline(double)
	group := h.bind(pipeline.GetBindGroupLayout(0), x, y)
	encoder := h.encoder()
	check(encoder.WriteTimestamp(queries, 0))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(64, 1, 1)
	check(pass.End())
	pass.Release()
	check(encoder.WriteTimestamp(queries, 1))
	check(encoder.ResolveQuerySet(queries, 0, 2, resolved, 0))
	times := wgpu.FromBytes[uint64](h.read("", encoder, resolved))
	fmt.Println("timestamps", times[0] > 0 && times[1] >= times[0] && times[1]-times[0] < 10_000_000_000)
	queries.Release()
}

// errorsProgram makes mistakes that both packages return as errors.
func errorsProgram(h host) {
	_, err := h.device.CreateBuffer(&wgpu.BufferDescriptor{Size: 16, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageStorage})
	fmt.Println("errors: MapRead with Storage:", err != nil)
	_, err = h.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: "fn main() {"}})
	fmt.Println("errors: a shader:", err != nil)
	small := h.buffer(storage, 16)
	err = h.queue.WriteBuffer(small, 0, make([]byte, 20))
	fmt.Println("errors: writing too much:", err != nil)
	encoder := h.encoder()
	err = encoder.CopyBufferToBuffer(small, 0, h.buffer(readback, 4), 0, 16)
	fmt.Println("errors: copying too much:", err != nil)
	pipeline := h.pipeline(double)
	_, err = h.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: pipeline.GetBindGroupLayout(0), Entries: []wgpu.BindGroupEntry{{Binding: 0, Buffer: small, Size: 16}}})
	fmt.Println("errors: a missing entry:", err != nil)
	err = small.MapAsync(wgpu.MapModeRead, 0, 16, func(wgpu.BufferMapAsyncStatus) {})
	fmt.Println("errors: mapping without MapRead:", err != nil)
	encoder = h.encoder()
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.DispatchWorkgroups(1, 1, 1)
	fmt.Println("errors: no bind group:", pass.End() != nil)
	_, err = encoder.Finish(nil)
	fmt.Println("errors: the encoder of that pass:", err != nil)
}
