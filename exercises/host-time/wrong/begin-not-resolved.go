//go:build ignore

// diagnosis: times-zero
// never: Subtract the begin

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

func timeSums(device *wgpu.Device, shader string, blocks int, x []float32) (sums []float32, ticks uint64) {
	bytes := uint64(4 * blocks)

	xs := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(x), Usage: wgpu.BufferUsageStorage,
	}))
	defer xs.Release()
	out := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc,
	}))
	defer out.Release()
	resolved := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: 512, Usage: wgpu.BufferUsageQueryResolve | wgpu.BufferUsageCopySrc,
	}))
	defer resolved.Release()
	readback := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	}))
	defer readback.Release()
	times := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: 16, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	}))
	defer times.Release()
	queries := must(device.CreateQuerySet(&wgpu.QuerySetDescriptor{
		Type: wgpu.QueryTypeTimestamp, Count: 2,
	}))
	defer queries.Release()

	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader},
	}))
	defer module.Release()
	pipeline := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
	defer pipeline.Release()
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout: pipeline.GetBindGroupLayout(0),
		Entries: []wgpu.BindGroupEntry{
			{Binding: 0, Buffer: xs, Size: wgpu.WholeSize},
			{Binding: 1, Buffer: out, Size: wgpu.WholeSize},
		},
	}))
	defer group.Release()

	begin, end := uint32(0), uint32(1)
	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(&wgpu.ComputePassDescriptor{
		TimestampWrites: &wgpu.ComputePassTimestampWrites{
			QuerySet: queries, BeginningOfPassWriteIndex: &begin, EndOfPassWriteIndex: &end,
		},
	})
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(uint32(blocks), 1, 1)
	pass.End()
	encoder.ResolveQuerySet(queries, 1, 1, resolved, 256)
	encoder.CopyBufferToBuffer(out, 0, readback, 0, bytes)
	encoder.CopyBufferToBuffer(resolved, 256, times, 8, 8)
	encoder.CopyBufferToBuffer(resolved, 0, times, 0, 8)
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := 0
	count := func(wgpu.BufferMapAsyncStatus) { mapped++ }
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, count)
	times.MapAsync(wgpu.MapModeRead, 0, 16, count)
	for mapped < 2 {
		device.Poll(true, nil)
	}
	two := wgpu.FromBytes[uint64](times.GetMappedRange(0, 16))
	ticks = two[1] - two[0]
	return slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(bytes)))), ticks
}
