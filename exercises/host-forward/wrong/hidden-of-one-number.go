//go:build ignore

// diagnosis: binding-short
// never: ran later
// never: another buffer

package main

import (
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

func filled[T float32 | uint32](device *wgpu.Device, values []T, usage wgpu.BufferUsage) *wgpu.Buffer {
	return must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{Contents: wgpu.ToBytes(values), Usage: usage}))
}

func empty(device *wgpu.Device, numbers int, usage wgpu.BufferUsage) *wgpu.Buffer {
	return must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(4 * numbers), Usage: usage}))
}

func compiled(device *wgpu.Device, shader check.HostShader) *wgpu.ComputePipeline {
	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader.WGSL},
	}))
	defer module.Release()
	return must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
}

func bound(device *wgpu.Device, pipeline *wgpu.ComputePipeline, buffers ...*wgpu.Buffer) *wgpu.BindGroup {
	var entries []wgpu.BindGroupEntry
	for i, buffer := range buffers {
		entries = append(entries, wgpu.BindGroupEntry{Binding: uint32(i), Buffer: buffer, Size: wgpu.WholeSize})
	}
	return must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: pipeline.GetBindGroupLayout(0), Entries: entries}))
}

func groups(n, size int) uint32 { return uint32((n + size - 1) / size) }

func network(device *wgpu.Device, linear, relu, softmax check.HostShader, rows int, x, w1, b1, w2, b2 []float32) []float32 {
	inputs, hidden, classes := len(x)/rows, len(b1), len(b2)
	bytes := uint64(4 * rows * classes)

	xs := filled(device, x, wgpu.BufferUsageStorage)
	defer xs.Release()
	ws1 := filled(device, w1, wgpu.BufferUsageStorage)
	defer ws1.Release()
	bs1 := filled(device, b1, wgpu.BufferUsageStorage)
	defer bs1.Release()
	ws2 := filled(device, w2, wgpu.BufferUsageStorage)
	defer ws2.Release()
	bs2 := filled(device, b2, wgpu.BufferUsageStorage)
	defer bs2.Release()
	dims1 := filled(device, []uint32{uint32(rows), uint32(hidden), uint32(inputs)}, wgpu.BufferUsageUniform)
	defer dims1.Release()
	dims2 := filled(device, []uint32{uint32(rows), uint32(classes), uint32(hidden)}, wgpu.BufferUsageUniform)
	defer dims2.Release()
	shape := filled(device, []uint32{uint32(rows), uint32(classes)}, wgpu.BufferUsageUniform)
	defer shape.Release()
	hiddens := empty(device, 1, wgpu.BufferUsageStorage)
	defer hiddens.Release()
	out := empty(device, rows*classes, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc)
	defer out.Release()
	readback := empty(device, rows*classes, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
	defer readback.Release()

	layers := compiled(device, linear)
	defer layers.Release()
	bend := compiled(device, relu)
	defer bend.Release()
	shares := compiled(device, softmax)
	defer shares.Release()

	first := bound(device, layers, dims1, xs, ws1, bs1, hiddens)
	defer first.Release()
	inPlace := bound(device, bend, hiddens)
	defer inPlace.Release()
	second := bound(device, layers, dims2, hiddens, ws2, bs2, out)
	defer second.Release()
	last := bound(device, shares, shape, out)
	defer last.Release()

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(layers)
	pass.SetBindGroup(0, first, nil)
	pass.DispatchWorkgroups(groups(hidden, linear.Size[0]), groups(rows, linear.Size[1]), 1)
	pass.SetPipeline(bend)
	pass.SetBindGroup(0, inPlace, nil)
	pass.DispatchWorkgroups(groups(rows*hidden, relu.Size[0]), 1, 1)
	pass.SetPipeline(layers)
	pass.SetBindGroup(0, second, nil)
	pass.DispatchWorkgroups(groups(classes, linear.Size[0]), groups(rows, linear.Size[1]), 1)
	pass.SetPipeline(shares)
	pass.SetBindGroup(0, last, nil)
	pass.DispatchWorkgroups(uint32(rows), 1, 1)
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
