//go:build ignore

// diagnosis: pipeline-binding-visibility
// never: no such binding

package main

import (
	"slices"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func addVectors(device *wgpu.Device, shader string, size int, a, b []float32) []float32 {
	n := len(a)
	bytes := uint64(4 * n)

	first := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(append(append(append([]float32{}, a...), make([]float32, (n+63)/64*64-n)...), b...)), Usage: wgpu.BufferUsageStorage,
	}))
	defer first.Release()
	space := (n + 63) / 64 * 64
	out := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc,
	}))
	defer out.Release()
	readback := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	}))
	defer readback.Release()

	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader},
	}))
	defer module.Release()
	kept := func(l *wgpu.BindGroupLayout, err error) *wgpu.BindGroupLayout { return must(l, err) }
	layout := kept(device.CreateBindGroupLayout(&wgpu.BindGroupLayoutDescriptor{Entries: []wgpu.BindGroupLayoutEntry{
		{Binding: 0, Visibility: wgpu.ShaderStageVertex, Buffer: wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeReadOnlyStorage, HasDynamicOffset: true}},
		{Binding: 1, Visibility: wgpu.ShaderStageCompute, Buffer: wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeReadOnlyStorage, HasDynamicOffset: true}},
		{Binding: 2, Visibility: wgpu.ShaderStageCompute, Buffer: wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeStorage}},
	}}))
	defer layout.Release()
	both := must(device.CreatePipelineLayout(&wgpu.PipelineLayoutDescriptor{BindGroupLayouts: []*wgpu.BindGroupLayout{layout}}))
	defer both.Release()
	pipeline := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Layout:  both,
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
	defer pipeline.Release()
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout: layout,
		Entries: []wgpu.BindGroupEntry{
			{Binding: 0, Buffer: first, Size: bytes},
			{Binding: 1, Buffer: first, Size: bytes},
			{Binding: 2, Buffer: out, Size: bytes},
		},
	}))
	defer group.Release()

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, []uint32{0, uint32(4 * space)})
	pass.DispatchWorkgroups(uint32((n+size-1)/size), 1, 1)
	pass.End()
	encoder.CopyBufferToBuffer(out, 0, readback, 0, bytes)
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	return slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(bytes))))
}
