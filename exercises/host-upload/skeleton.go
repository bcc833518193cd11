//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// must ends the cell with an error, if there is one. It keeps your pieces short.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// upload returns a new buffer with the usages that holds the data.
func upload(device *wgpu.Device, data []byte, usage wgpu.BufferUsage) *wgpu.Buffer {
	// Your lines go here.
	return nil
}
