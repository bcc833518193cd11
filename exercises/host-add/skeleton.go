//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// addVectors runs the shader, your vector-add, on the device and returns a[i] + b[i] for every i.
// Its workgroups have size invocations.
func addVectors(device *wgpu.Device, shader string, size int, a, b []float32) []float32 {
	// Your lines go here.
	return nil
}
