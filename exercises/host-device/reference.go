//go:build ignore

package main

import "github.com/wgslab/wgslab/pkg/wgpu"

// openDevice returns the device of the best adapter, or why there is none.
func openDevice() (*wgpu.Device, error) {
	instance := wgpu.CreateInstance(&wgpu.InstanceDescriptor{Backends: wgpu.InstanceBackendPrimary})
	defer instance.Release()
	adapter, err := instance.RequestAdapter(nil)
	if err != nil {
		return nil, err
	}
	defer adapter.Release()
	return adapter.RequestDevice(nil)
}
