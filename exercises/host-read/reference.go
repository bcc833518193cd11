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

// read returns the bytes of a buffer.
func read(device *wgpu.Device, buffer *wgpu.Buffer) []byte {
	bytes := buffer.GetSize()
	readback := must(device.CreateBuffer(&wgpu.BufferDescriptor{
		Size: bytes, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
	}))
	defer readback.Release()
	encoder := must(device.CreateCommandEncoder(nil))
	encoder.CopyBufferToBuffer(buffer, 0, readback, 0, bytes)
	device.GetQueue().Submit(must(encoder.Finish(nil)))

	mapped := false
	readback.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true })
	for !mapped {
		device.Poll(true, nil)
	}
	return slices.Clone(readback.GetMappedRange(0, uint(bytes)))
}
