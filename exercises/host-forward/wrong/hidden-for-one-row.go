//go:build ignore

// diagnosis: binding-short

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

func network(device *wgpu.Device, linear, relu, softmax check.HostShader, rows int, x, w1, b1, w2, b2 []float32) []float32 {
	var cleanup []func()
	defer func() {
		for _, f := range slices.Backward(cleanup) {
			f()
		}
	}()
	load := func(contents []byte, usage wgpu.BufferUsage) *wgpu.Buffer {
		b := must(device.CreateBufferInit(&wgpu.BufferInitDescriptor{Contents: contents, Usage: usage}))
		cleanup = append(cleanup, b.Release)
		return b
	}
	room := func(numbers int, usage wgpu.BufferUsage) *wgpu.Buffer {
		b := must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(4 * numbers), Usage: usage}))
		cleanup = append(cleanup, b.Release)
		return b
	}
	compile := func(s check.HostShader) *wgpu.ComputePipeline {
		module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
			WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: s.WGSL},
		}))
		p := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
			Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
		}))
		cleanup = append(cleanup, module.Release, p.Release)
		return p
	}
	bind := func(p *wgpu.ComputePipeline, buffers ...*wgpu.Buffer) *wgpu.BindGroup {
		var entries []wgpu.BindGroupEntry
		for i, b := range buffers {
			entries = append(entries, wgpu.BindGroupEntry{Binding: uint32(i), Buffer: b, Size: b.GetSize()})
		}
		g := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
			Layout: p.GetBindGroupLayout(0), Entries: entries,
		}))
		cleanup = append(cleanup, g.Release)
		return g
	}
	groups := func(n, size int) uint32 { return uint32((n + size - 1) / size) }

	inputs, hiddens, outputs := len(x)/rows, len(b1), len(b2)
	xs := load(wgpu.ToBytes(x), wgpu.BufferUsageStorage)
	w1s := load(wgpu.ToBytes(w1), wgpu.BufferUsageStorage)
	b1s := load(wgpu.ToBytes(b1), wgpu.BufferUsageStorage)
	w2s := load(wgpu.ToBytes(w2), wgpu.BufferUsageStorage)
	b2s := load(wgpu.ToBytes(b2), wgpu.BufferUsageStorage)
	dims1 := load(wgpu.ToBytes([]uint32{uint32(rows), uint32(hiddens), uint32(inputs)}), wgpu.BufferUsageUniform)
	dims2 := load(wgpu.ToBytes([]uint32{uint32(rows), uint32(outputs), uint32(hiddens)}), wgpu.BufferUsageUniform)
	dims3 := load(wgpu.ToBytes([]uint32{uint32(rows), uint32(outputs)}), wgpu.BufferUsageUniform)
	hidden := room(hiddens, wgpu.BufferUsageStorage)
	result := room(rows*outputs, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc)
	readback := room(rows*outputs, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)

	dense := compile(linear)
	clamp := compile(relu)
	normalize := compile(softmax)
	layer1 := bind(dense, dims1, xs, w1s, b1s, hidden)
	activation := bind(clamp, hidden)
	layer2 := bind(dense, dims2, hidden, w2s, b2s, result)
	probabilities := bind(normalize, dims3, result)
	sx, sy := int(linear.Size[0]), int(linear.Size[1])

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(dense)
	pass.SetBindGroup(0, layer1, nil)
	pass.DispatchWorkgroups(groups(hiddens, sx), groups(rows, sy), 1)
	pass.SetPipeline(clamp)
	pass.SetBindGroup(0, activation, nil)
	pass.DispatchWorkgroups(groups(rows*hiddens, int(relu.Size[0])), 1, 1)
	pass.SetPipeline(dense)
	pass.SetBindGroup(0, layer2, nil)
	pass.DispatchWorkgroups(groups(outputs, sx), groups(rows, sy), 1)
	pass.SetPipeline(normalize)
	pass.SetBindGroup(0, probabilities, nil)
	pass.DispatchWorkgroups(uint32(rows), 1, 1)
	pass.End()
	bytes := readback.GetSize()
	encoder.CopyBufferToBuffer(result, 0, readback, 0, bytes)
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	return slices.Clone(wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(bytes))))
}
