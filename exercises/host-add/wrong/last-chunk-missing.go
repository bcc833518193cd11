//go:build ignore

// diagnosis: result-short

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
		Contents: wgpu.ToBytes(a), Usage: wgpu.BufferUsageStorage,
	}))
	defer first.Release()
	second := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(b), Usage: wgpu.BufferUsageStorage,
	}))
	defer second.Release()
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
	pipeline := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
	defer pipeline.Release()

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	for from := 0; from == 0 || from+256 <= n; from += 256 {
		m := min(256, n-from)
		o, b := uint64(4*from), uint64(4*m)
		group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
			Layout: pipeline.GetBindGroupLayout(0),
			Entries: []wgpu.BindGroupEntry{
				{Binding: 0, Buffer: first, Offset: o, Size: b},
				{Binding: 1, Buffer: second, Offset: o, Size: b},
				{Binding: 2, Buffer: out, Offset: o, Size: b},
			},
		}))
		defer group.Release()
		pass.SetBindGroup(0, group, nil)
		pass.DispatchWorkgroups(uint32((m+size-1)/size), 1, 1)
	}
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
