//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// run starts x times y workgroups of the pipeline. Its bindings 0, 1, … are the buffers, in order.
func run(device *wgpu.Device, pipeline *wgpu.ComputePipeline, x, y uint32, buffers ...*wgpu.Buffer) {
	var entries []wgpu.BindGroupEntry
	for i, buffer := range buffers {
		entries = append(entries, wgpu.BindGroupEntry{Binding: uint32(i), Buffer: buffer, Size: buffer.GetSize()})
	}
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout: pipeline.GetBindGroupLayout(0), Entries: entries,
	}))
	defer group.Release()

	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	pass.DispatchWorkgroups(x, y, 1)
	pass.End()
	device.GetQueue().Submit(must(encoder.Finish(nil)))
}
