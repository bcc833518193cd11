//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// run starts x times y workgroups of the pipeline. Its bindings 0, 1, … are the buffers, in order.
func run(device *wgpu.Device, pipeline *wgpu.ComputePipeline, x, y uint32, buffers ...*wgpu.Buffer) {
	// Your lines go here.
}
