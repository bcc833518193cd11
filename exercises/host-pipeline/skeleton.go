//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// pipeline returns the shader, compiled and ready to start at its main.
func pipeline(device *wgpu.Device, shader string) *wgpu.ComputePipeline {
	// Your lines go here.
	return nil
}
