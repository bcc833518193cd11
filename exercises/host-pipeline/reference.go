//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// pipeline returns the shader, compiled and ready to start at its main.
func pipeline(device *wgpu.Device, shader string) *wgpu.ComputePipeline {
	module := must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: shader},
	}))
	defer module.Release()
	return must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	}))
}
