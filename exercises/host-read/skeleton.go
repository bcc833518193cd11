//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// read returns the bytes of a buffer.
func read(device *wgpu.Device, buffer *wgpu.Buffer) []byte {
	// Your lines go here.
	return nil
}
