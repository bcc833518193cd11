//go:build ignore

package main

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func layer(device *wgpu.Device, linear check.HostShader, rows, in, out int, x []float32, file []byte, wAt, biasAt int) []float32 {
	w := make([]float32, in*out)
	for i := range in {
		for c := range out {
			w[i*out+c] = math.Float32frombits(binary.LittleEndian.Uint32(file[wAt+4*(c*in+i):]))
		}
	}
	bias := make([]float32, out)
	for c := range bias {
		bias[c] = math.Float32frombits(binary.LittleEndian.Uint32(file[biasAt+4*c:]))
	}

	buffer := func(numbers int, usage wgpu.BufferUsage) *wgpu.Buffer {
		return must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(4 * numbers), Usage: usage}))
	}
	dims := buffer(3, wgpu.BufferUsageUniform|wgpu.BufferUsageCopyDst)
	defer dims.Release()
	xs := buffer(rows*in, wgpu.BufferUsageStorage|wgpu.BufferUsageCopyDst)
	defer xs.Release()
	space := (in*out + 63) / 64 * 64
	ws := buffer(space+out, wgpu.BufferUsageStorage|wgpu.BufferUsageCopyDst)
	defer ws.Release()
	result := buffer(rows*out, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc)
	defer result.Release()
	readback := buffer(rows*out, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
	defer readback.Release()

	queue := device.GetQueue()
	queue.WriteBuffer(dims, 0, wgpu.ToBytes([]uint32{uint32(rows), uint32(out), uint32(in)}))
	queue.WriteBuffer(xs, 0, wgpu.ToBytes(x))
	queue.WriteBuffer(ws, 0, wgpu.ToBytes(w))
	queue.WriteBuffer(ws, uint64(4*space), wgpu.ToBytes(bias))

	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: linear.WGSL},
	}))
	defer module.Release()
	pipeline := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
	defer pipeline.Release()
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout: pipeline.GetBindGroupLayout(0),
		Entries: []wgpu.BindGroupEntry{
			{Binding: 0, Buffer: dims, Size: wgpu.WholeSize},
			{Binding: 1, Buffer: xs, Size: wgpu.WholeSize},
			{Binding: 2, Buffer: ws, Size: uint64(4 * in * out)},
			{Binding: 3, Buffer: ws, Offset: uint64(4 * space), Size: uint64(4 * out)},
			{Binding: 4, Buffer: result, Size: wgpu.WholeSize},
		},
	}))
	defer group.Release()

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(uint32((out+linear.Size[0]-1)/linear.Size[0]), uint32((rows+linear.Size[1]-1)/linear.Size[1]), 1)
	pass.End()
	bytes := uint64(4 * rows * out)
	encoder.CopyBufferToBuffer(result, 0, readback, 0, bytes)
	queue.Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	return slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(bytes))))
}
