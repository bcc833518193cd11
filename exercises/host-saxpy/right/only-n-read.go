//go:build ignore

package main

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func saxpy(device *wgpu.Device, shader string, size int, alpha float32, n int, x, y []float32) []float32 {
	bytes := uint64(4 * len(y))

	members := make([]byte, 8)
	binary.LittleEndian.PutUint32(members[0:], math.Float32bits(alpha))
	binary.LittleEndian.PutUint32(members[4:], uint32(n))
	params := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: members, Usage: wgpu.BufferUsageUniform,
	}))
	defer params.Release()
	xs := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(x), Usage: wgpu.BufferUsageStorage,
	}))
	defer xs.Release()
	ys := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(y), Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc,
	}))
	defer ys.Release()
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
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout: pipeline.GetBindGroupLayout(0),
		Entries: []wgpu.BindGroupEntry{
			{Binding: 0, Buffer: params, Size: 8},
			{Binding: 1, Buffer: xs, Size: bytes},
			{Binding: 2, Buffer: ys, Size: bytes},
		},
	}))
	defer group.Release()

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(uint32((len(y)+size-1)/size), 1, 1)
	pass.End()
	encoder.CopyBufferToBuffer(ys, 0, readback, 0, uint64(4*n))
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, uint64(4*n), func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	return append(slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(4*n)))), y[n:]...)
}
