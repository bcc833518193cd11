//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// openDevice returns the device of the best adapter, or why there is none.
func openDevice() (*wgpu.Device, error) {
	// Your lines go here.
	return nil, nil
}
