package wgpu_test

import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

const square = `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x)) { x[id.x] *= x[id.x]; }
}`

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// A whole program: buffers, a pipeline, a bind group, a pass, a copy and a readback.
func Example() {
	adapter := must(wgpu.CreateInstance(nil).RequestAdapter(nil))
	device := must(adapter.RequestDevice(nil))
	defer device.Release()
	queue := device.GetQueue()

	x := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes([]uint32{1, 2, 3, 4}), Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc,
	}))
	readback := must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: 16, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst}))
	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: square}}))
	pipeline := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout: pipeline.GetBindGroupLayout(0), Entries: []wgpu.BindGroupEntry{{Binding: 0, Buffer: x, Size: 16}},
	}))

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(1, 1, 1)
	fmt.Println("pass:", pass.End())
	fmt.Println("copy:", encoder.CopyBufferToBuffer(x, 0, readback, 0, 16))
	queue.Submit(must(encoder.Finish(nil)))

	fmt.Println("map:", readback.MapAsync(wgpu.MapModeRead, 0, 16, func(wgpu.BufferMapAsyncStatus) {}))
	device.Poll(true, nil)
	fmt.Println(wgpu.FromBytes[uint32](readback.GetMappedRange(0, 16)))
	fmt.Println("unmap:", readback.Unmap())
	// Output:
	// pass: <nil>
	// copy: <nil>
	// map: <nil>
	// [1 4 9 16]
	// unmap: <nil>
}

// A mistake names the line of the call, what is wrong, and what to do.
func ExampleDevice_CreateBuffer() {
	device := must(must(wgpu.CreateInstance(nil).RequestAdapter(nil)).RequestDevice(nil))
	defer device.Release()
	_, err := device.CreateBuffer(&wgpu.BufferDescriptor{Label: "out", Size: 16, Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageMapRead})
	fmt.Println(err)
	// Output:
	// example_test.go:67, `_, err := device.CreateBuffer(&wgpu.BufferDescriptor{Label: "out", Size: 16, Us…`: The buffer "out" combines `BufferUsageMapRead` with `BufferUsageStorage`. Copy the result to a second buffer that has only `BufferUsageMapRead` and `BufferUsageCopyDst`.
}

// A mistake in a pass comes back from End, and a range is yours once.
func ExampleComputePassEncoder_End() {
	device := must(must(wgpu.CreateInstance(nil).RequestAdapter(nil)).RequestDevice(nil))
	defer device.Release()
	pass := must(device.CreateCommandEncoder(nil)).BeginComputePass(nil)
	pass.DispatchWorkgroups(1, 1, 1)
	fmt.Println(pass.End())
	x := must(device.CreateBuffer(&wgpu.BufferDescriptor{Label: "x", Size: 16, Usage: wgpu.BufferUsageMapRead}))
	fmt.Println(x.MapAsync(wgpu.MapModeRead, 0, 16, func(wgpu.BufferMapAsyncStatus) {}))
	device.Poll(true, nil)
	x.GetMappedRange(0, 8)
	defer func() { fmt.Println(recover()) }()
	x.GetMappedRange(0, 16)
	// Output:
	// example_test.go:78, `pass.DispatchWorkgroups(1, 1, 1)`: A dispatch in the compute pass `pass` has no pipeline. Call `SetPipeline` before the dispatch.
	// <nil>
	// example_test.go:85, `x.GetMappedRange(0, 16)`: The range shares bytes with one that you got before from the buffer "x". Keep the first range, or ask for other bytes.
}
