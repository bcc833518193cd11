//go:build ignore

// diagnosis: other-x

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

// number reads the float32 that begins at byte at.
func number(file []byte, at int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(file[at:]))
}

func layer(device *wgpu.Device, linear check.HostShader, rows, in, out int, x []float32, file []byte, wAt, biasAt int) []float32 {
	w := make([]float32, in*out)
	for c := range out {
		for i := range in {
			w[i*out+c] = number(file, wAt+4*(c*in+i))
		}
	}
	bias := make([]float32, out)
	for c := range bias {
		bias[c] = number(file, biasAt+4*c)
	}

	queue := device.GetQueue()
	buffer := func(numbers int, usage wgpu.BufferUsage) *wgpu.Buffer {
		return must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(4 * numbers), Usage: usage}))
	}
	dims := buffer(3, wgpu.BufferUsageUniform|wgpu.BufferUsageCopyDst)
	defer dims.Release()
	xs := buffer(rows*in, wgpu.BufferUsageStorage|wgpu.BufferUsageCopyDst)
	defer xs.Release()
	ws := buffer(in*out, wgpu.BufferUsageStorage|wgpu.BufferUsageCopyDst)
	defer ws.Release()
	biases := buffer(out, wgpu.BufferUsageStorage|wgpu.BufferUsageCopyDst)
	defer biases.Release()
	result := buffer(rows*out, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc)
	defer result.Release()
	readback := buffer(rows*out, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
	defer readback.Release()
	queue.WriteBuffer(dims, 0, wgpu.ToBytes([]uint32{uint32(rows), uint32(out), uint32(in)}))
	flipped := make([]float32, len(x))
	for r := range rows {
		for i := range in {
			flipped[i*rows+r] = x[r*in+i]
		}
	}
	queue.WriteBuffer(xs, 0, wgpu.ToBytes(flipped))
	queue.WriteBuffer(ws, 0, wgpu.ToBytes(w))
	queue.WriteBuffer(biases, 0, wgpu.ToBytes(bias))

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
			{Binding: 0, Buffer: dims, Size: dims.GetSize()},
			{Binding: 1, Buffer: xs, Size: xs.GetSize()},
			{Binding: 2, Buffer: ws, Size: ws.GetSize()},
			{Binding: 3, Buffer: biases, Size: biases.GetSize()},
			{Binding: 4, Buffer: result, Size: result.GetSize()},
		},
	}))
	defer group.Release()

	sx, sy := int(linear.Size[0]), int(linear.Size[1])
	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(uint32((out+sx-1)/sx), uint32((rows+sy-1)/sy), 1)
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
