package script

import (
	"slices"

	js "github.com/wgslab/wgslab/internal/course/host/script/javascript"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A hostCall is a call of the learner's program, as gpu.js passes it on.
type hostCall struct {
	run       *run
	at        webgpu.HostSite
	on        any
	arguments []js.Ref
}

func (c *hostCall) text(i int) string      { return c.arguments[i].String() }
func (c *hostCall) uint(i int) uint64      { return uint64(c.arguments[i].Float()) }
func (c *hostCall) small(i int) uint32     { return uint32(c.arguments[i].Float()) }
func (c *hostCall) given(i int) bool       { return !c.arguments[i].IsUndefined() }
func (c *hostCall) device() *webgpu.Device { return c.on.(*webgpu.Device) }

// numbers returns the members of an object by their names.
func (c *hostCall) numbers(i int) map[string]float64 {
	entries, all := js.Global().Get("Object").Call("entries", c.arguments[i]), map[string]float64{}
	for k := range entries.Length() {
		all[entries.Index(k).Index(0).String()] = entries.Index(k).Index(1).Float()
	}
	return all
}

// sizeOr returns a size, or another for undefined.
func (c *hostCall) sizeOr(i int, other uint64) uint64 {
	if !c.given(i) {
		return other
	}
	return c.uint(i)
}

// object returns the object of a handle that is an argument, or nil.
func object[T any](c *hostCall, handle js.Ref) (none T) {
	if handle.IsUndefined() || handle.IsNull() {
		return none
	}
	o, _ := c.run.objects[handle.Int()].(T)
	return o
}

// made answers with the handle of a new object, even if it is invalid.
func (c *hostCall) made(o any, err error) any {
	answer := map[string]any{"made": c.run.handle(o)}
	if err != nil {
		answer["error"], answer["kind"] = err.Error(), kindOf(err)
		answer["stop"] = webgpu.IsWithoutEnd(err)
	}
	return js.ValueOf(answer)
}

// done answers a call that makes nothing.
func done(err error) any {
	if err != nil {
		return failed(err)
	}
	return js.Undefined()
}

// promise gives the result of a call to its last argument, a function, once keep calls back.
func (c *hostCall) promise(d *webgpu.Device, start func(keep func(answer any)) error) any {
	settle := c.arguments[len(c.arguments)-1]
	c.run.soon(d)
	err := start(func(answer any) {
		c.run.waiting--
		settle.Invoke(answer)
	})
	return done(err)
}

// calls are the calls of gpu.js by their names, which are WebGPU's.
var calls = map[string]func(*hostCall) any{
	"requestAdapter": func(c *hostCall) any {
		a, err := c.on.(*webgpu.Instance).RequestAdapter(c.at, c.arguments[0].Truthy())
		if err != nil {
			return failed(err)
		}
		return js.ValueOf(map[string]any{"made": c.run.handle(a), "limits": limits(a.Limits()), "features": features(a.Features()), "info": adapterInfo(a.Info())})
	},
	"wgslLanguageFeatures": func(c *hostCall) any {
		var names []any
		for _, name := range c.run.languageFeatures() {
			names = append(names, name)
		}
		return js.ValueOf(names)
	},
	"requestDevice": func(c *hostCall) any {
		desc := webgpu.DeviceDescriptor{Label: c.text(0)}
		for i := range c.arguments[1].Length() {
			name := c.arguments[1].Index(i).String()
			if f, ok := webgpu.FeatureNamed(name); ok {
				desc.Features = append(desc.Features, f)
			} else {
				desc.Unknown.Features = append(desc.Unknown.Features, name)
			}
		}
		required := map[string]uint64{}
		for name, value := range c.numbers(2) {
			required[name] = uint64(value)
		}
		desc.Limits, desc.Unknown.Limits = webgpu.LimitsNamed(required)
		d, err := c.on.(*webgpu.Adapter).RequestDevice(c.at, desc)
		if err != nil {
			return failed(err)
		}
		return js.ValueOf(map[string]any{"made": c.run.handle(d)})
	},
	"device": func(c *hostCall) any { // what a device says about itself
		d := c.device()
		return js.ValueOf(map[string]any{"limits": limits(d.Limits()), "features": features(d.Features()), "info": adapterInfo(d.Adapter().Info()), "queue": c.run.handle(d.Queue())})
	},
	"createBuffer": func(c *hostCall) any {
		return c.made(c.device().CreateBuffer(c.at, webgpu.BufferDescriptor{Label: c.text(0), Size: c.uint(1), Usage: gpu.BufferUsage(c.small(2)), MappedAtCreation: c.arguments[3].Bool()}))
	},
	"createShaderModule": func(c *hostCall) any { return c.made(c.device().CreateShaderModule(c.at, c.text(0), c.text(1))) },
	"createBindGroupLayout": func(c *hostCall) any {
		var entries []webgpu.BindGroupLayoutEntry
		for i := range c.arguments[1].Length() {
			e := c.arguments[1].Index(i)
			entries = append(entries, webgpu.BindGroupLayoutEntry{
				Binding: uint32(e.Index(0).Int()), Visibility: webgpu.ShaderStage(e.Index(1).Int()),
				Buffer: webgpu.BufferBindingLayout{Type: bindingTypes[e.Index(2).String()], HasDynamicOffset: e.Index(3).Bool(), MinBindingSize: uint64(e.Index(4).Float())},
			})
		}
		return c.made(c.device().CreateBindGroupLayout(c.at, c.text(0), entries))
	},
	"createPipelineLayout": func(c *hostCall) any {
		var groups []*webgpu.BindGroupLayout
		for i := range c.arguments[1].Length() {
			groups = append(groups, object[*webgpu.BindGroupLayout](c, c.arguments[1].Index(i)))
		}
		return c.made(c.device().CreatePipelineLayout(c.at, c.text(0), groups))
	},
	"createComputePipeline": func(c *hostCall) any {
		p, err := c.device().CreateComputePipeline(c.at, webgpu.PipelineDescriptor{
			Async: c.arguments[5].Bool(),
			Label: c.text(0), Layout: object[*webgpu.PipelineLayout](c, c.arguments[1]), Module: object[*webgpu.ShaderModule](c, c.arguments[2]), EntryPoint: c.text(3), Constants: c.numbers(4),
		})
		return c.made(p, err)
	},
	"createBindGroup": func(c *hostCall) any {
		var entries []webgpu.BindGroupEntry
		for i := range c.arguments[2].Length() {
			e := c.arguments[2].Index(i)
			entry := webgpu.BindGroupEntry{Binding: uint32(e.Index(0).Float()), Buffer: object[*webgpu.Buffer](c, e.Index(1)), Offset: uint64(e.Index(2).Float()), Size: webgpu.WholeSize}
			if !e.Index(3).IsUndefined() {
				entry.Size = uint64(e.Index(3).Float())
			}
			entries = append(entries, entry)
		}
		return c.made(c.device().CreateBindGroup(c.at, c.text(0), object[*webgpu.BindGroupLayout](c, c.arguments[1]), entries))
	},
	"createQuerySet": func(c *hostCall) any {
		kind := webgpu.QueryTypeOcclusion
		if c.text(1) == "timestamp" {
			kind = webgpu.QueryTypeTimestamp
		}
		return c.made(c.device().CreateQuerySet(c.at, c.text(0), kind, c.small(2)))
	},
	"createCommandEncoder": func(c *hostCall) any { return c.made(c.device().CreateCommandEncoder(c.at, c.text(0))) },
	"pushErrorScope": func(c *hostCall) any {
		c.device().PushErrorScope(c.at, filters[c.text(0)])
		return js.Undefined()
	},
	"popErrorScope": func(c *hostCall) any {
		caught, err := c.device().PopErrorScope(c.at)
		if err != nil {
			return failed(err)
		}
		if caught == nil {
			return js.Null()
		}
		return js.ValueOf(map[string]any{"message": caught.Error(), "kind": kindOf(caught)})
	},
	"uncaptured": func(c *hostCall) any { // errors that no scope caught
		all := []any{}
		if of, ok := c.on.(interface{ Device() *webgpu.Device }); ok && of.Device() != nil {
			for _, err := range of.Device().Uncaptured() {
				all = append(all, map[string]any{"device": slices.Index(c.run.objects, any(of.Device())), "message": err.Error(), "kind": kindOf(err)})
			}
		}
		return js.ValueOf(all)
	},
	"lost": func(c *hostCall) any {
		return c.promise(c.device(), func(keep func(any)) error {
			c.device().OnLost(func(reason webgpu.LostReason, message string) {
				info := map[string]any{"reason": "unknown", "message": message}
				if reason == webgpu.LostDestroyed {
					info = map[string]any{"reason": "destroyed", "message": "The program destroyed the device."}
				}
				keep(js.ValueOf(info))
			})
			return nil
		})
	},
	"destroyDevice": func(c *hostCall) any {
		c.device().Destroy(c.at)
		return js.Undefined()
	},

	"mapAsync": func(c *hostCall) any {
		b := c.on.(*webgpu.Buffer)
		offset := c.sizeOr(1, 0)
		size := c.sizeOr(2, b.Size-min(offset, b.Size))
		return c.promise(b.Device(), func(keep func(any)) error {
			return b.MapAsync(c.at, webgpu.MapMode(c.small(0)), offset, size, func(status webgpu.MapStatus) { keep(int(status)) })
		})
	},
	"getMappedRange": func(c *hostCall) any {
		b := c.on.(*webgpu.Buffer)
		offset := c.sizeOr(0, 0)
		bytes, err := b.MappedRange(c.at, offset, c.sizeOr(1, b.Size-min(offset, b.Size)))
		if err != nil {
			return failed(err)
		}
		number := len(c.run.ranges) + 1
		c.run.ranges[number] = bytes
		array := js.Global().Get("Uint8Array").New(len(bytes))
		js.CopyBytesToJS(array, bytes)
		return js.ValueOf(map[string]any{"range": number, "bytes": array})
	},
	"written": func(c *hostCall) any { // the bytes of a range, before it is unmapped
		js.CopyBytesToGo(c.run.ranges[c.arguments[0].Int()], c.arguments[1])
		return js.Undefined()
	},
	"mapState": func(c *hostCall) any {
		return []string{"unmapped", "pending", "mapped"}[c.on.(*webgpu.Buffer).State()]
	},
	"unmap": func(c *hostCall) any { return done(c.on.(*webgpu.Buffer).Unmap(c.at)) },
	"destroy": func(c *hostCall) any {
		c.on.(interface{ Destroy(webgpu.HostSite) }).Destroy(c.at)
		return js.Undefined()
	},

	"getBindGroupLayout": func(c *hostCall) any {
		return c.made(c.on.(*webgpu.ComputePipeline).BindGroupLayout(c.at, c.small(0)))
	},

	"beginComputePass": func(c *hostCall) any {
		var times *webgpu.PassTimes
		if c.given(1) {
			times = &webgpu.PassTimes{Set: object[*webgpu.QuerySet](c, c.arguments[1])}
			if c.given(2) {
				n := c.small(2)
				times.Begin = &n
			}
			if c.given(3) {
				n := c.small(3)
				times.End = &n
			}
		}
		return c.made(c.on.(*webgpu.CommandEncoder).BeginComputePass(c.at, c.text(0), times))
	},
	"copyBufferToBuffer": func(c *hostCall) any {
		from, to := object[*webgpu.Buffer](c, c.arguments[0]), object[*webgpu.Buffer](c, c.arguments[2])
		offset := c.uint(1)
		return done(c.on.(*webgpu.CommandEncoder).CopyBufferToBuffer(c.at, from, offset, to, c.uint(3), c.sizeOr(4, from.Size-min(offset, from.Size))))
	},
	"clearBuffer": func(c *hostCall) any {
		return done(c.on.(*webgpu.CommandEncoder).ClearBuffer(c.at, object[*webgpu.Buffer](c, c.arguments[0]), c.uint(1), c.sizeOr(2, webgpu.WholeSize)))
	},
	"resolveQuerySet": func(c *hostCall) any {
		return done(c.on.(*webgpu.CommandEncoder).ResolveQuerySet(c.at, object[*webgpu.QuerySet](c, c.arguments[0]), c.small(1), c.small(2), object[*webgpu.Buffer](c, c.arguments[3]), c.uint(4)))
	},
	"finish": func(c *hostCall) any { return c.made(c.on.(*webgpu.CommandEncoder).Finish(c.at, c.text(0))) },

	"setPipeline": func(c *hostCall) any {
		return done(c.on.(*webgpu.ComputePassEncoder).SetPipeline(c.at, object[*webgpu.ComputePipeline](c, c.arguments[0])))
	},
	"setBindGroup": func(c *hostCall) any {
		var offsets []uint32
		for i := range c.arguments[2].Length() {
			offsets = append(offsets, uint32(c.arguments[2].Index(i).Float()))
		}
		return done(c.on.(*webgpu.ComputePassEncoder).SetBindGroup(c.at, c.small(0), object[*webgpu.BindGroup](c, c.arguments[1]), offsets))
	},
	"dispatchWorkgroups": func(c *hostCall) any {
		return done(c.on.(*webgpu.ComputePassEncoder).DispatchWorkgroups(c.at, c.small(0), c.small(1), c.small(2)))
	},
	"dispatchWorkgroupsIndirect": func(c *hostCall) any {
		return done(c.on.(*webgpu.ComputePassEncoder).DispatchWorkgroupsIndirect(c.at, object[*webgpu.Buffer](c, c.arguments[0]), c.uint(1)))
	},
	"end":               func(c *hostCall) any { return done(c.on.(*webgpu.ComputePassEncoder).End(c.at)) },
	"pushDebugGroup":    func(c *hostCall) any { return done(c.on.(debugger).PushDebugGroup(c.at)) },
	"popDebugGroup":     func(c *hostCall) any { return done(c.on.(debugger).PopDebugGroup(c.at)) },
	"insertDebugMarker": func(c *hostCall) any { return done(c.on.(debugger).InsertDebugMarker(c.at)) },

	"writeBuffer": func(c *hostCall) any {
		data := make([]byte, c.arguments[2].Length())
		js.CopyBytesToGo(data, c.arguments[2])
		return done(c.on.(*webgpu.Queue).WriteBuffer(c.at, object[*webgpu.Buffer](c, c.arguments[0]), c.uint(1), data))
	},
	"submit": func(c *hostCall) any {
		var all []*webgpu.CommandBuffer
		for i := range c.arguments[0].Length() {
			all = append(all, object[*webgpu.CommandBuffer](c, c.arguments[0].Index(i)))
		}
		return done(c.on.(*webgpu.Queue).Submit(c.at, all))
	},
	"onSubmittedWorkDone": func(c *hostCall) any {
		q := c.on.(*webgpu.Queue)
		return c.promise(q.Device(), func(keep func(any)) error {
			q.OnSubmittedWorkDone(c.at, func(error) { keep(js.Undefined()) })
			return nil
		})
	},
}

// A debugger records groups of commands with names.
type debugger interface {
	PushDebugGroup(webgpu.HostSite) error
	PopDebugGroup(webgpu.HostSite) error
	InsertDebugMarker(webgpu.HostSite) error
}

var bindingTypes = map[string]webgpu.BufferBindingType{
	"uniform": webgpu.BufferBindingTypeUniform, "storage": webgpu.BufferBindingTypeStorage, "read-only-storage": webgpu.BufferBindingTypeReadOnlyStorage,
}

var filters = map[string]webgpu.ErrorFilter{
	"validation": webgpu.ErrorFilterValidation, "out-of-memory": webgpu.ErrorFilterOutOfMemory, "internal": webgpu.ErrorFilterInternal,
}

func features(all []webgpu.FeatureName) []any {
	names := make([]any, len(all))
	for i, f := range all {
		names[i] = f.String()
	}
	return names
}

// adapterInfo describes an adapter as GPUAdapterInfo does. Without subgroups, their sizes are
// WebGPU's bounds.
func adapterInfo(a shader.Adapter) map[string]any {
	least, most := uint32(4), uint32(128)
	if a.Subgroups[1] > 0 {
		least, most = a.Subgroups[0], a.Subgroups[1]
	}
	return map[string]any{
		"vendor": "", "architecture": "", "device": "", "description": a.Name,
		"subgroupMinSize": least, "subgroupMaxSize": most, "isFallbackAdapter": a.Kind != shader.GPU,
	}
}

// limits returns limits by their names.
func limits(l webgpu.Limits) map[string]any {
	named := map[string]any{}
	for name, value := range l.Named() {
		named[name] = float64(value)
	}
	return named
}
