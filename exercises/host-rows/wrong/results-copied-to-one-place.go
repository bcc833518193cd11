//go:build ignore

// diagnosis: copy-overwritten

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

func rowMax(device *wgpu.Device, shader string, rows, cols int, x []float32) []float32 {
	const most = 65535 / 64 * 64 // rows in a dispatch: their bytes in out are a multiple of 256
	bytes := uint64(4 * rows)

	xs := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
		Contents: wgpu.ToBytes(x), Usage: wgpu.BufferUsageStorage,
	}))
	defer xs.Release()
	type piece struct {
		b        *wgpu.Buffer
		at, size uint64
	}
	var pieces []piece
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
	for from := 0; from < rows; from += most {
		part := min(most, rows-from)
		dims := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{
			Contents: wgpu.ToBytes([]uint32{uint32(part), uint32(cols)}), Usage: wgpu.BufferUsageUniform,
		}))
		defer dims.Release()
		out := must(device.CreateBuffer(&wgpu.BufferDescriptor{
			Size: uint64(4 * part), Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc,
		}))
		defer out.Release()
		pieces = append(pieces, piece{out, uint64(4 * from), uint64(4 * part)})
		group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
			Layout: pipeline.GetBindGroupLayout(0),
			Entries: []wgpu.BindGroupEntry{
				{Binding: 0, Buffer: dims, Size: 8},
				{Binding: 1, Buffer: xs, Offset: uint64(4 * from * cols), Size: uint64(4 * part * cols)},
				{Binding: 2, Buffer: out, Size: uint64(4 * part)},
			},
		}))
		defer group.Release()
		pass.SetBindGroup(0, group, nil)
		pass.DispatchWorkgroups(uint32(part), 1, 1)
	}
	pass.End()
	for _, p := range pieces {
		encoder.CopyBufferToBuffer(p.b, 0, readback, 0, p.size)
	}
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	return slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(bytes))))
}
