// The program times four dependent passes in one submission with one readback, as lesson 6 does, and
// the parts of a round.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

const layer = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&y)) { y[id.x] = 0.5 * x[id.x] + 1.0; }
}`

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

const bytes = 4 * 128

type rounds struct {
	device   *wgpu.Device
	queue    *wgpu.Queue
	pipeline *wgpu.ComputePipeline
	groups   []*wgpu.BindGroup
	input    *wgpu.Buffer
	output   *wgpu.Buffer
	back     *wgpu.Buffer
}

func main() {
	n := 300
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	adapter := must(wgpu.CreateInstance(&wgpu.InstanceDescriptor{Backends: wgpu.InstanceBackendPrimary}).RequestAdapter(&wgpu.RequestAdapterOptions{PowerPreference: wgpu.PowerPreferenceHighPerformance}))
	r := &rounds{device: must(adapter.RequestDevice(nil))}
	r.queue = r.device.GetQueue()
	r.prepare()
	for _, passes := range []int{1, 4, 16} {
		times := make([]time.Duration, 0, n)
		for range n {
			began := time.Now()
			r.round(passes)
			times = append(times, time.Since(began))
		}
		slices.Sort(times)
		fmt.Printf("%s: %2d passes: smallest %7.1f us, median %7.1f us\n", adapter.GetInfo().DriverDescription, passes, float64(times[0].Nanoseconds())/1000, float64(times[n/2].Nanoseconds())/1000)
	}
}

func (r *rounds) prepare() {
	module := must(r.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: layer}}))
	r.pipeline = must(r.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"}}))
	usage := wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc | wgpu.BufferUsageCopyDst
	r.input = must(r.device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: usage}))
	r.output = must(r.device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: usage}))
	r.back = must(r.device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst}))
	layout := r.pipeline.GetBindGroupLayout(0)
	for _, pair := range [][2]*wgpu.Buffer{{r.input, r.output}, {r.output, r.input}} {
		r.groups = append(r.groups, must(r.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: layout, Entries: []wgpu.BindGroupEntry{
			{Binding: 0, Buffer: pair[0], Size: bytes}, {Binding: 1, Buffer: pair[1], Size: bytes},
		}})))
	}
}

func (r *rounds) round(passes int) {
	check(r.queue.WriteBuffer(r.input, 0, make([]byte, bytes)))
	encoder := must(r.device.CreateCommandEncoder(nil))
	for i := range passes {
		pass := encoder.BeginComputePass(nil)
		pass.SetPipeline(r.pipeline)
		pass.SetBindGroup(0, r.groups[i%2], nil)
		pass.DispatchWorkgroups(2, 1, 1)
		check(pass.End())
		pass.Release()
	}
	check(encoder.CopyBufferToBuffer(r.input, 0, r.back, 0, bytes))
	commands := must(encoder.Finish(nil))
	r.queue.Submit(commands)
	commands.Release()
	encoder.Release()
	mapped := false
	check(r.back.MapAsync(wgpu.MapModeRead, 0, bytes, func(wgpu.BufferMapAsyncStatus) { mapped = true }))
	for !mapped {
		r.device.Poll(false, nil)
	}
	if len(r.back.GetMappedRange(0, bytes)) != bytes {
		panic("the range is too short")
	}
	check(r.back.Unmap())
}
