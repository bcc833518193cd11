// The programs of the table of differences in notebooks/webgpu.md. The program runs the one that its
// argument names, and prints what became of it: works, an error, or panics.
package main

import (
	"fmt"
	"os"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

const (
	storage  = wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc | wgpu.BufferUsageCopyDst
	readback = wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst

	double = `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { x[0] = 2u * x[0]; }`
	tuned = `override n: u32 = 2; ` + double
	roomy = `var<workgroup> w: array<u32, 5000>; ` + `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { w[x[0]] = 1u; x[0] = w[0]; }`
)

// A host is what the programs share.
type host struct {
	adapter *wgpu.Adapter
	device  *wgpu.Device
}

var programs = map[string]func(host) error{
	"`CreateBuffer` with usages that don't go together": func(h host) error {
		_, err := h.device.CreateBuffer(&wgpu.BufferDescriptor{Size: 16, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageStorage})
		return err
	},
	"`nil` in place of a buffer": func(h host) error { return h.encoder().CopyBufferToBuffer(nil, 0, h.buffer(16, storage), 0, 16) },
	"An entry without `Size`": func(h host) error {
		_, err := h.group(h.pipeline(double), wgpu.BindGroupEntry{Buffer: h.buffer(16, storage)})
		return err
	},
	"An entry of 15 bytes": func(h host) error {
		_, err := h.group(h.pipeline(double), wgpu.BindGroupEntry{Buffer: h.buffer(16, storage), Size: 15})
		return err
	},
	"`GetBindGroupLayout(9)`": func(h host) error {
		h.pipeline(double).GetBindGroupLayout(9)
		return nil
	},
	"An `override` in a shader":        func(h host) error { return h.compile(tuned) },
	"20,000 bytes of workgroup memory": func(h host) error { return h.compile(roomy) },
	"A dispatch without a pipeline": func(h host) error {
		pass := h.encoder().BeginComputePass(nil)
		pass.DispatchWorkgroups(1, 1, 1)
		return pass.End()
	},
	"A copy while a pass is open": func(h host) error {
		encoder := h.encoder()
		pass := encoder.BeginComputePass(nil)
		err := encoder.CopyBufferToBuffer(h.buffer(16, storage), 0, h.buffer(16, storage), 0, 16)
		if err == nil {
			err = pass.End()
		}
		return err
	},
	"`Finish` while a pass is open": func(h host) error {
		encoder := h.encoder()
		encoder.BeginComputePass(nil)
		_, err := encoder.Finish(nil)
		return err
	},
	"`End` twice": func(h host) error {
		pass := h.encoder().BeginComputePass(nil)
		check(pass.End())
		return pass.End()
	},
	"`ClearBuffer` of 0 bytes": func(h host) error { return h.encoder().ClearBuffer(h.buffer(16, storage), 0, 0) },
	"A command buffer submitted twice": func(h host) error {
		commands := must(h.encoder().Finish(nil))
		h.device.GetQueue().Submit(commands)
		h.device.GetQueue().Submit(commands)
		return nil
	},
	"A mapped buffer in a submission": func(h host) error {
		encoder, to := h.encoder(), h.mapped()
		check(encoder.CopyBufferToBuffer(h.buffer(16, storage), 0, to, 0, 16))
		h.device.GetQueue().Submit(must(encoder.Finish(nil)))
		return nil
	},
	"`WriteBuffer` to a mapped buffer": func(h host) error { return h.device.GetQueue().WriteBuffer(h.mapped(), 0, make([]byte, 16)) },
	"`GetMappedRange` before the buffer is mapped": func(h host) error {
		h.buffer(16, readback).GetMappedRange(0, 16)
		return nil
	},
	"Two ranges with the same bytes": func(h host) error {
		mapped := h.mapped()
		mapped.GetMappedRange(0, 16)
		mapped.GetMappedRange(8, 8)
		return nil
	},
	"`MapAsync` without a callback": func(h host) error {
		err := h.buffer(16, readback).MapAsync(wgpu.MapModeRead, 0, 16, nil)
		h.device.Poll(true, nil)
		return err
	},
	"`WriteBuffer` after `Release`": func(h host) error {
		b := h.buffer(16, storage)
		b.Release()
		return h.device.GetQueue().WriteBuffer(b, 0, make([]byte, 16))
	},
	"`Release` twice": func(h host) error {
		b := h.buffer(16, storage)
		b.Release()
		b.Release()
		return nil
	},
	"The bytes of a range after `Unmap`": func(h host) error {
		mapped := h.mapped()
		bytes := mapped.GetMappedRange(0, 16)
		check(mapped.Unmap())
		return said(fmt.Sprint("are ", bytes[0]))
	},
	"A buffer for which there is no memory": func(h host) (err error) {
		for range 1 << 12 { // 1 TiB in all, and never touched
			if _, err = h.device.CreateBuffer(&wgpu.BufferDescriptor{Size: 256 << 20, Usage: storage}); err != nil {
				break
			}
		}
		return err
	},
	"`DeviceLostCallback`": func(h host) error {
		heard := said("isn't called")
		device := must(h.adapter.RequestDevice(&wgpu.DeviceDescriptor{DeviceLostCallback: func(reason wgpu.DeviceLostReason, _ string) {
			if reason == wgpu.DeviceLostReasonDestroyed {
				heard = "is called"
			}
		}}))
		device.Release()
		device.Poll(false, nil)
		return heard
	},
	"A second device from one adapter": func(h host) error {
		_, err := h.adapter.RequestDevice(nil)
		return err
	},
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// check ends a program with an error that its call has.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

func (h host) encoder() *wgpu.CommandEncoder { return must(h.device.CreateCommandEncoder(nil)) }

func (h host) buffer(bytes uint64, usage wgpu.BufferUsage) *wgpu.Buffer {
	return must(h.device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: usage}))
}

func (h host) mapped() *wgpu.Buffer {
	b, done := h.buffer(16, readback), false
	check(b.MapAsync(wgpu.MapModeRead, 0, 16, func(wgpu.BufferMapAsyncStatus) { done = true }))
	for !done {
		h.device.Poll(true, nil)
	}
	return b
}

func (h host) pipeline(code string) *wgpu.ComputePipeline {
	module := must(h.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: code}}))
	return must(h.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"}}))
}

func (h host) compile(code string) error {
	module, err := h.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: code}})
	if err == nil {
		_, err = h.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"}})
	}
	return err
}

func (h host) group(pipeline *wgpu.ComputePipeline, entry wgpu.BindGroupEntry) (*wgpu.BindGroup, error) {
	return h.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: pipeline.GetBindGroupLayout(0), Entries: []wgpu.BindGroupEntry{entry}})
}

func main() {
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	adapter, err := wgpu.CreateInstance(&wgpu.InstanceDescriptor{Backends: wgpu.InstanceBackendPrimary}).RequestAdapter(nil)
	if err != nil {
		fmt.Println("no adapter:", err)
		os.Exit(3)
	}
	h := host{adapter, must(adapter.RequestDevice(nil))}
	for _, name := range os.Args[1:] {
		fmt.Println(name + ": " + outcome(programs[name], h))
	}
}

// said is an outcome in a program's own words.
type said string

func (s said) Error() string { return string(s) }

// outcome runs a program and says what became of it.
func outcome(program func(host) error, h host) (is string) {
	defer func() {
		if recover() != nil {
			is = "panics"
		}
	}()
	switch err := program(h).(type) {
	case nil:
		return "works"
	case said:
		return err.Error()
	}
	return "an error"
}
