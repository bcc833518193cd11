//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// saxpy runs the shader, your saxpy, on the device and returns y: alpha * x[i] + y[i] for the first
// n elements, and the old y[i] for the others. Its workgroups have size invocations.
func saxpy(device *wgpu.Device, shader string, size int, alpha float32, n int, x, y []float32) []float32 {
	// Your lines go here.
	return nil
}
