//go:build ignore

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
		Size: 16, Usage: wgpu.BufferUsageQueryResolve | wgpu.BufferUsageCopySrc,
	}))
	defer resolved.Release()
	readback := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: 16 + bytes, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	}))
	defer readback.Release()
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
	encoder.ResolveQuerySet(queries, 0, 2, resolved, 0)
	encoder.CopyBufferToBuffer(out, 0, readback, 16, bytes)
	encoder.CopyBufferToBuffer(resolved, 0, readback, 0, 16)
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := 0
	count := func(wgpu.BufferMapAsyncStatus) { mapped++ }
	readback.MapAsync(wgpu.MapModeRead, 0, 16+bytes, count)
	mapped++
	for mapped < 2 {
		device.Poll(true, nil)
	}
	two := wgpu.FromBytes[uint64](readback.GetMappedRange(0, 16))
	ticks = two[1] - two[0]
	return slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(16, uint(bytes)))), ticks
}
