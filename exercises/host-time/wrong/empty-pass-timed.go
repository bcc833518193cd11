//go:build ignore

// diagnosis: times-other-pass

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

// newOf makes a value of the type that p points to.
func newOf[T any](p *T) *T {
	return new(T)
}

func read(device *wgpu.Device, buffer *wgpu.Buffer) []byte {
	size := buffer.GetSize()
	mapped := false
	buffer.MapAsync(wgpu.MapModeRead, 0, size, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	return buffer.GetMappedRange(0, uint(size))
}

func timeSums(device *wgpu.Device, shader string, blocks int, x []float32) (sums []float32, ticks uint64) {
	input := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(x), Usage: wgpu.BufferUsageStorage,
	}))
	defer input.Release()
	bytes := uint64(4 * blocks)
	out := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc,
	}))
	defer out.Release()
	outRead := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	}))
	defer outRead.Release()
	resolved := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: 16, Usage: wgpu.BufferUsageQueryResolve | wgpu.BufferUsageCopySrc,
	}))
	defer resolved.Release()
	timesRead := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: 16, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	}))
	defer timesRead.Release()
	set := must(device.CreateQuerySet(&wgpu.QuerySetDescriptor{Type: wgpu.QueryTypeTimestamp, Count: 2}))
	defer set.Release()

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
			{Binding: 0, Buffer: input, Size: input.GetSize()},
			{Binding: 1, Buffer: out, Size: bytes},
		},
	}))
	defer group.Release()

	begin, end := uint32(0), uint32(1)
	timed := &wgpu.ComputePassDescriptor{}
	timed.TimestampWrites = newOf(timed.TimestampWrites)
	timed.TimestampWrites.QuerySet = set
	timed.TimestampWrites.BeginningOfPassWriteIndex = &begin
	timed.TimestampWrites.EndOfPassWriteIndex = &end

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(uint32(blocks), 1, 1)
	pass.End()
	clock := encoder.BeginComputePass(timed)
	clock.End()
	encoder.ResolveQuerySet(set, 0, 2, resolved, 0)
	encoder.CopyBufferToBuffer(resolved, 0, timesRead, 0, 16)
	encoder.CopyBufferToBuffer(out, 0, outRead, 0, bytes)
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	sums = slices.Clone(wgpu.FromBytes[float32](read(device, outRead)))
	times := wgpu.FromBytes[uint64](read(device, timesRead))
	return sums, times[1] - times[0]
}
