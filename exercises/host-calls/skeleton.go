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

// runHello runs the shader, your hello, on the device and returns its n numbers. Its workgroups
// have size invocations.
func runHello(device *wgpu.Device, shader string, size, n int) []uint32 {
	// 1. Buffers: the shader writes to out, and the host reads readback.
	bytes := uint64(4 * n)
	out := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc,
	}))
	defer out.Release()
	var readback *wgpu.Buffer
	// Your lines go here: make readback, in the same way.

	// 2. The shader, ready to run, and its buffer.
	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader},
	}))
	defer module.Release()
	pipeline := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
	defer pipeline.Release()
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout:  pipeline.GetBindGroupLayout(0), // @group(0)
		Entries: []wgpu.BindGroupEntry{
			// Your line goes here: out is @binding(0), with all its bytes.
		},
	}))
	defer group.Release()

	// 3. Commands.
	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	pass.SetPipeline(pipeline)
	pass.SetBindGroup(0, group, nil)
	// Your line goes here: start the workgroups.
	pass.End()
	// Your line goes here: copy out to readback.
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	// 4. The result.
	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		// Your line goes here: let the device call back.
	}
	return slices.Clone(wgpu.FromBytes[uint32](readback.GetMappedRange(0, uint(bytes))))
}
