//go:build ignore

// diagnosis: binding-short

package main

import (
	"github.com/wgslab/wgslab/pkg/wgpu"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// part is the number of rows in a dispatch: 4 * part is a multiple of 256.
const part = 65472

func rowMax(device *wgpu.Device, shader string, rows, cols int, x []float32) []float32 {
	queue := device.GetQueue()
	input := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(x), Usage: wgpu.BufferUsageStorage,
	}))
	defer input.Release()
	bytes := uint64(4 * rows)
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
	for first := 0; first < rows; first += part {
		count := min(part, rows-first)
		dims := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
			Contents: wgpu.ToBytes([]uint32{uint32(count), uint32(cols)}),
			Usage:    wgpu.BufferUsageUniform,
		}))
		defer dims.Release()
		group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
			Layout: pipeline.GetBindGroupLayout(0),
			Entries: []wgpu.BindGroupEntry{
				{Binding: 0, Buffer: dims, Size: 8},
				{Binding: 1, Buffer: input, Offset: uint64(4 * first * cols), Size: uint64(4 * count)},
				{Binding: 2, Buffer: out, Offset: uint64(4 * first), Size: uint64(4 * count)},
			},
		}))
		defer group.Release()
		pass.SetBindGroup(0, group, nil)
		pass.DispatchWorkgroups(uint32(count), 1, 1)
	}
	pass.End()
	encoder.CopyBufferToBuffer(out, 0, readback, 0, bytes)
	queue.Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	result := make([]float32, rows)
	copy(result, wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(bytes))))
	return result
}
