// The program draws host programs from seeds and runs them. It prints a line for each: the seed, its
// fault, and its result or its first error. With a third argument, json, it prints the programs
// themselves: a line of JSON for each.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

func main() {
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	first, _ := strconv.ParseUint(os.Args[1], 10, 64)
	end, _ := strconv.ParseUint(os.Args[2], 10, 64)
	if len(os.Args) > 3 && os.Args[3] == "json" {
		for seed := first; seed < end; seed++ {
			_ = json.NewEncoder(os.Stdout).Encode(generate(seed))
		}
		return
	}
	adapter, err := wgpu.CreateInstance(&wgpu.InstanceDescriptor{Backends: wgpu.InstanceBackendPrimary}).RequestAdapter(nil)
	if err != nil {
		fmt.Println("no adapter:", err)
		os.Exit(3)
	}
	device, err := adapter.RequestDevice(nil)
	if err != nil {
		fmt.Println("no device:", err)
		os.Exit(3)
	}
	out := bufio.NewWriter(os.Stdout)
	for seed := first; seed < end; seed++ {
		p := generate(seed)
		fmt.Fprintf(out, "%d\t%s\t", seed, p.fault)
		out.Flush() // the process may end in the next line
		fmt.Fprintln(out, run(adapter, device, p))
		out.Flush()
	}
}

// run runs a program on the device, or on one of its own with its limits.
func run(adapter *wgpu.Adapter, device *wgpu.Device, p program) string {
	if !p.limits {
		return execute(device, p)
	}
	required := wgpu.DefaultLimits()
	required.MaxBindGroups = p.groupsMax
	own, err := adapter.RequestDevice(&wgpu.DeviceDescriptor{RequiredLimits: &wgpu.RequiredLimits{Limits: required}})
	if err != nil {
		return "error device: " + strings.Join(strings.Fields(err.Error()), " ")
	}
	defer own.Release()
	return execute(own, p)
}

// execute runs a program and returns its result, or the error of the first call that fails.
func execute(device *wgpu.Device, p program) (result string) {
	r := &runner{device: device, queue: device.GetQueue(), program: p}
	defer r.release()
	defer func() {
		if caught := recover(); caught != nil {
			result = r.failed(fmt.Sprint("panic: ", caught))
		}
	}()
	if err := r.make(); err != nil {
		return r.failed(err.Error())
	}
	for i, o := range p.ops {
		r.doing = fmt.Sprint(i, " ", o.kind)
		if err := r.do(o); err != nil {
			return r.failed(err.Error())
		}
	}
	sum := fnv.New64a()
	sum.Write(r.result)
	return "ok " + hex.EncodeToString(sum.Sum(nil))
}

// A runner runs one program.
type runner struct {
	program
	device  *wgpu.Device
	queue   *wgpu.Queue
	made    []*wgpu.Buffer
	pipes   []*wgpu.ComputePipeline
	layouts [][]*wgpu.BindGroupLayout
	bound   []*wgpu.BindGroup
	encoder *wgpu.CommandEncoder
	pass    *wgpu.ComputePassEncoder
	command *wgpu.CommandBuffer
	used    *wgpu.Buffer // by the commands
	mapped  int          // mappings that have ended
	wanted  int
	result  []byte
	doing   string
	others  []interface{ Release() }
}

func (r *runner) failed(message string) string {
	return "error " + r.doing + ": " + strings.Join(strings.Fields(message), " ")
}

func (r *runner) keep(o interface{ Release() }) { r.others = append(r.others, o) }

func (r *runner) release() {
	for i := len(r.others) - 1; i >= 0; i-- {
		r.others[i].Release()
	}
}

func words(n uint64, from int) []byte {
	all := make([]uint32, (n+3)/4)
	for i := range all {
		all[i] = uint32(i*7 + from*1000 + 3)
	}
	return wgpu.ToBytes(all)[:n]
}

func (r *runner) make() error {
	for i, b := range r.buffers {
		r.doing = fmt.Sprint("buffer ", i)
		made, err := r.device.CreateBuffer(&wgpu.BufferDescriptor{Size: b.size, Usage: wgpu.BufferUsage(b.usage), MappedAtCreation: b.mapped})
		if err != nil {
			return err
		}
		r.keep(made)
		r.made = append(r.made, made)
		if b.mapped {
			copy(made.GetMappedRange(0, uint(b.size)), words(b.size, i))
			if err := made.Unmap(); err != nil {
				return err
			}
		}
	}
	for i, p := range r.pipelines {
		r.doing = fmt.Sprint("pipeline ", i)
		if err := r.makePipeline(p); err != nil {
			return err
		}
	}
	for i, g := range r.groups {
		r.doing = fmt.Sprint("group ", i)
		if err := r.makeGroup(g); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) makePipeline(p pipeline) error {
	module, err := r.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: p.text()}})
	if err != nil {
		return err
	}
	r.keep(module)
	desc := &wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: p.entry}}
	var layouts []*wgpu.BindGroupLayout
	for _, entries := range p.explicit {
		var all []wgpu.BindGroupLayoutEntry
		for _, e := range entries {
			all = append(all, wgpu.BindGroupLayoutEntry{Binding: e.binding, Visibility: wgpu.ShaderStage(e.stages()), Buffer: wgpu.BufferBindingLayout{Type: wgpu.BufferBindingType(e.kind), MinBindingSize: e.least}})
		}
		layout, err := r.device.CreateBindGroupLayout(&wgpu.BindGroupLayoutDescriptor{Entries: all})
		if err != nil {
			return err
		}
		r.keep(layout)
		layouts = append(layouts, layout)
	}
	if p.explicit != nil {
		if desc.Layout, err = r.device.CreatePipelineLayout(&wgpu.PipelineLayoutDescriptor{BindGroupLayouts: layouts}); err != nil {
			return err
		}
		r.keep(desc.Layout)
	}
	made, err := r.device.CreateComputePipeline(desc)
	if err != nil {
		return err
	}
	r.keep(made)
	for number := range shaders[p.shader].groups {
		if p.explicit == nil {
			layouts = append(layouts, made.GetBindGroupLayout(uint32(number)))
			r.keep(layouts[number])
		}
	}
	r.pipes, r.layouts = append(r.pipes, made), append(r.layouts, layouts)
	return nil
}

func (r *runner) makeGroup(g group) error {
	var entries []wgpu.BindGroupEntry
	for _, e := range g.entries {
		entries = append(entries, wgpu.BindGroupEntry{Binding: e.binding, Buffer: r.made[e.buffer], Offset: e.offset, Size: e.size})
	}
	made, err := r.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: r.layouts[g.pipeline][g.number], Entries: entries})
	if err != nil {
		return err
	}
	r.keep(made)
	r.bound = append(r.bound, made)
	return nil
}

func (r *runner) do(o op) (err error) {
	switch o.kind {
	case "write":
		return r.queue.WriteBuffer(r.made[o.a], o.x, words(o.n, o.a))
	case "counts":
		return r.queue.WriteBuffer(r.made[o.a], 0, wgpu.ToBytes([]uint32{2, 3, 1, 1, 2, 1}))
	case "encoder", "copy", "clear", "finish", "submit":
		return r.record(o)
	case "begin", "pipeline", "group", "dispatch", "indirect", "end":
		return r.inPass(o)
	case "map":
		r.wanted++
		return r.made[o.a].MapAsync(wgpu.MapMode(o.b), o.x, o.n, func(s wgpu.BufferMapAsyncStatus) { r.mapped++ })
	case "wait":
		for r.mapped < r.wanted {
			r.device.Poll(true, nil)
		}
	case "range":
		r.result = append(r.result, r.made[o.a].GetMappedRange(uint(o.x), uint(o.n))...)
	case "unmap":
		return r.made[o.a].Unmap()
	case "destroy":
		r.made[o.a].Destroy()
	case "destroyused":
		r.used.Destroy()
	case "mapused":
		return r.used.MapAsync(wgpu.MapModeRead, 0, 8, func(wgpu.BufferMapAsyncStatus) {})
	}
	return nil
}

func (r *runner) record(o op) (err error) {
	switch o.kind {
	case "encoder":
		r.encoder, err = r.device.CreateCommandEncoder(nil)
		if err == nil {
			r.keep(r.encoder)
		}
	case "copy":
		r.used = r.made[o.b]
		return r.encoder.CopyBufferToBuffer(r.made[o.a], o.x, r.made[o.b], o.y, o.n)
	case "clear":
		r.used = r.made[o.a]
		return r.encoder.ClearBuffer(r.made[o.a], o.x, o.n)
	case "finish":
		r.command, err = r.encoder.Finish(nil)
		if err == nil {
			r.keep(r.command)
		}
	case "submit":
		r.queue.Submit(r.command)
	}
	return err
}

func (r *runner) inPass(o op) error {
	switch o.kind {
	case "begin":
		r.pass = r.encoder.BeginComputePass(nil)
		r.keep(r.pass)
	case "pipeline":
		r.pass.SetPipeline(r.pipes[o.a])
	case "group":
		r.used = r.made[r.groups[o.b].entries[0].buffer]
		r.pass.SetBindGroup(uint32(o.a), r.bound[o.b], nil)
	case "dispatch":
		r.pass.DispatchWorkgroups(uint32(o.x), uint32(o.y), uint32(o.n))
	case "indirect":
		r.pass.DispatchWorkgroupsIndirect(r.made[o.a], o.x)
	case "end":
		return r.pass.End()
	}
	return nil
}
