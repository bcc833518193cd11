// The programs of the table of differences in notebooks/webgpu.md. The program runs the one that its
// argument names, and prints what became of it: works, an error, or panics.
package main

import (
	"errors"
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
		return second(h.room(16, wgpu.BufferUsageMapRead|wgpu.BufferUsageStorage))
	},
	"`nil` in place of a buffer":       func(h host) error { return h.encoder().CopyBufferToBuffer(nil, 0, h.words(), 0, 16) },
	"An entry without `Size`":          func(h host) error { return h.bind(0) },
	"An entry of 15 bytes":             func(h host) error { return h.bind(15) },
	"`GetBindGroupLayout(9)`":          func(h host) error { return done(must(h.compile(double)).GetBindGroupLayout(9)) },
	"An `override` in a shader":        func(h host) error { return second(h.compile(tuned)) },
	"20,000 bytes of workgroup memory": func(h host) error { return second(h.compile(roomy)) },
	"A dispatch without a pipeline": func(h host) error {
		pass := h.encoder().BeginComputePass(nil)
		pass.DispatchWorkgroups(1, 1, 1)
		return pass.End()
	},
	"A copy while a pass is open": func(h host) error {
		encoder := h.encoder()
		pass := encoder.BeginComputePass(nil)
		return errors.Join(encoder.CopyBufferToBuffer(h.words(), 0, h.words(), 0, 16), pass.End())
	},
	"`Finish` while a pass is open": func(h host) error {
		encoder := h.encoder()
		encoder.BeginComputePass(nil)
		return second(encoder.Finish(nil))
	},
	"`End` twice": func(h host) error {
		pass := h.encoder().BeginComputePass(nil)
		check(pass.End())
		return pass.End()
	},
	"`ClearBuffer` of 0 bytes": func(h host) error { return h.encoder().ClearBuffer(h.words(), 0, 0) },
	"A command buffer submitted twice": func(h host) error {
		commands, queue := must(h.encoder().Finish(nil)), h.device.GetQueue()
		return done(queue.Submit(commands), queue.Submit(commands))
	},
	"A mapped buffer in a submission": func(h host) error {
		encoder, to := h.encoder(), h.mapped()
		check(encoder.CopyBufferToBuffer(h.words(), 0, to, 0, 16))
		return done(h.device.GetQueue().Submit(must(encoder.Finish(nil))))
	},
	"`WriteBuffer` to a mapped buffer":             func(h host) error { return h.device.GetQueue().WriteBuffer(h.mapped(), 0, make([]byte, 16)) },
	"`GetMappedRange` before the buffer is mapped": func(h host) error { return done(must(h.room(16, readback)).GetMappedRange(0, 16)) },
	"Two ranges with the same bytes": func(h host) error {
		mapped := h.mapped()
		return done(mapped.GetMappedRange(0, 16), mapped.GetMappedRange(8, 8))
	},
	"`MapAsync` without a callback": func(h host) error {
		err := must(h.room(16, readback)).MapAsync(wgpu.MapModeRead, 0, 16, nil)
		h.device.Poll(true, nil)
		return err
	},
	"`WriteBuffer` after `Release`": func(h host) error {
		b := h.words()
		b.Release()
		return h.device.GetQueue().WriteBuffer(b, 0, make([]byte, 16))
	},
	"`Release` twice": func(h host) error {
		b := h.words()
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
		for i := 0; err == nil && i < 1<<12; i++ { // 1 TiB in all, and never touched
			err = second(h.room(256<<20, storage))
		}
		return err
	},
	"`DeviceLostCallback`": func(h host) error {
		heard := said("isn't called")
		device := must(h.adapter.RequestDevice(&wgpu.DeviceDescriptor{DeviceLostCallback: func(wgpu.DeviceLostReason, string) { heard = "is called" }}))
		device.Release()
		device.Poll(false, nil)
		return heard
	},
	"A second device from one adapter": func(h host) error { return second(h.adapter.RequestDevice(nil)) },
}

// done ends a program whose calls return no error.
func done(...any) error { return nil }

func second[T any](_ T, err error) error { return err }

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

func (h host) room(bytes uint64, usage wgpu.BufferUsage) (*wgpu.Buffer, error) {
	return h.device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: usage})
}

func (h host) words() *wgpu.Buffer { return must(h.room(16, storage)) }
func (h host) mapped() *wgpu.Buffer {
	b, done := must(h.room(16, readback)), false
	check(b.MapAsync(wgpu.MapModeRead, 0, 16, func(wgpu.BufferMapAsyncStatus) { done = true }))
	for !done {
		h.device.Poll(true, nil)
	}
	return b
}

func (h host) compile(code string) (*wgpu.ComputePipeline, error) {
	module, err := h.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: code}})
	if err != nil {
		return nil, err
	}
	return h.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"}})
}

func (h host) bind(bytes uint64) error {
	return second(h.device.CreateBindGroup(&wgpu.BindGroupDescriptor{
		Layout:  must(h.compile(double)).GetBindGroupLayout(0),
		Entries: []wgpu.BindGroupEntry{{Buffer: h.words(), Size: bytes}},
	}))
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
