package webgpu_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

const (
	fill = `@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> unused: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] = id.x; }`
	move = `@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = x[id.x]; }`
	params = `struct Params { n: u32, scale: vec3<f32> }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(4) fn main() { y[0] = p.scale.x * f32(p.n); }`
)

// wrongs is a program for each rule that breaks it. It returns the error of the call that does.
var wrongs = map[string]func(*world) error{
	"callback-missing": func(w *world) error {
		return w.buffer(8, readback).MapAsync(here(), webgpu.MapModeRead, 0, 8, nil)
	},
	"shader-empty":     func(w *world) error { return second(w.CreateShaderModule(here(), "", "")) },
	"argument-missing": func(w *world) error { return w.Queue().WriteBuffer(here(), nil, 0, nil) },
	"invalid-object": func(w *world) error {
		b, _ := w.CreateBuffer(here(), webgpu.BufferDescriptor{Size: 4})
		return w.Queue().WriteBuffer(here(), b, 0, nil)
	},
	"other-device": func(w *world) error { return w.Queue().WriteBuffer(here(), w.plain().buffer(4, all), 0, nil) },
	"released": func(w *world) error {
		b := w.buffer(4, all)
		b.Release(here())
		return w.Queue().WriteBuffer(here(), b, 0, nil)
	},
	"device-feature": func(w *world) error { return request(w, webgpu.DeviceDescriptor{Features: []webgpu.FeatureName{7}}) },
	"device-feature-unknown": func(w *world) error {
		return request(w, webgpu.DeviceDescriptor{Unknown: webgpu.UnknownNames{Features: []string{"timestamps"}}})
	},
	"device-limit-unknown": func(w *world) error {
		return request(w, webgpu.DeviceDescriptor{Unknown: webgpu.UnknownNames{Limits: []string{"maxBindgroups"}}})
	},
	"device-limit": func(w *world) error { return limited(w, func(l *webgpu.Limits) { l.MaxBindGroups = 5 }) },
	"released-twice": func(w *world) error {
		b := w.buffer(4, all)
		b.Release(here())
		b.Release(here())
		if m := w.Record().Mistakes; len(m) > 0 {
			return m[0]
		}
		return nil
	},
	"device-alignment": func(w *world) error {
		return limited(w, func(l *webgpu.Limits) { l.MinStorageBufferOffsetAlignment = 0 })
	},

	"device-second": func(w *world) error { return second(w.adapter.RequestDevice(here(), webgpu.DeviceDescriptor{})) },

	"buffer-usage-none":      func(w *world) error { return w.try(4, 0) },
	"buffer-usage-unknown":   func(w *world) error { return w.try(4, 0x400) },
	"buffer-usage-map-read":  func(w *world) error { return w.try(4, mapRead|storage) },
	"buffer-usage-map-write": func(w *world) error { return w.try(4, mapWrite|copyDst) },
	"buffer-size":            func(w *world) error { return w.try(256<<20+4, storage) },
	"buffer-mapped-size": func(w *world) error {
		_, err := w.CreateBuffer(here(), webgpu.BufferDescriptor{Size: 5, Usage: storage, MappedAtCreation: true})
		return err
	},

	"buffers-alive": func(w *world) error {
		w.Record().LimitMemory(2, 100, 9)
		return errors.Join(w.try(4, storage), w.try(4, storage), w.try(4, storage))
	},
	"buffers-made": func(w *world) error {
		w.Record().LimitMemory(9, 100, 2)
		for range 2 {
			w.buffer(4, storage).Destroy(here())
		}
		return w.try(4, storage)
	},
	"buffers-bytes": func(w *world) error {
		w.Record().LimitMemory(9, 10, 9)
		return errors.Join(w.try(4, storage), w.try(8, storage))
	},

	"map-busy": func(w *world) error { return mapping(w.mapped(8), 0, 8) },
	"map-destroyed": func(w *world) error {
		b := w.buffer(8, readback)
		b.Destroy(here())
		return mapping(b, 0, 8)
	},
	"map-mode":       func(w *world) error { return w.buffer(8, readback).MapAsync(here(), 3, 0, 8, unheard) },
	"map-usage-read": func(w *world) error { return mapping(w.buffer(8, all), 0, 8) },
	"map-usage-write": func(w *world) error {
		return w.buffer(8, readback).MapAsync(here(), webgpu.MapModeWrite, 0, 8, unheard)
	},
	"map-offset":     func(w *world) error { return mapping(w.buffer(16, readback), 4, 8) },
	"map-size":       func(w *world) error { return mapping(w.buffer(16, readback), 0, 7) },
	"map-range":      func(w *world) error { return mapping(w.buffer(16, readback), 8, 12) },
	"range-unmapped": func(w *world) error { return ranging(w.buffer(16, readback), 0, 16) },
	"range-offset":   func(w *world) error { return ranging(w.mapped(16), 4, 4) },
	"range-size":     func(w *world) error { return ranging(w.mapped(16), 0, 5) },
	"range-outside":  func(w *world) error { return ranging(w.mapped(16), 8, 12) },
	"range-before": func(w *world) error {
		b := w.buffer(16, readback)
		require.NoError(w.t, mapping(b, 8, 8))
		_, err := w.Poll(true)
		require.NoError(w.t, err)
		return ranging(b, 0, 8)
	},
	"range-overlap": func(w *world) error {
		b := w.mapped(16)
		require.NoError(w.t, ranging(b, 0, 16))
		return ranging(b, 8, 8)
	},

	"layout-binding-twice":  func(w *world) error { return second(w.layoutOf(entry(1, isStorage), entry(1, isStorage))) },
	"layout-binding-number": func(w *world) error { return second(w.layoutOf(entry(1000, isStorage))) },
	"layout-slots":          func(w *world) error { return second(w.layoutOf(many(9, isStorage)...)) },
	"layout-entry-type":     func(w *world) error { return second(w.layoutOf(entry(0, 0))) },
	"layout-visibility": func(w *world) error {
		return second(w.layoutOf(webgpu.BindGroupLayoutEntry{Visibility: 8, Buffer: webgpu.BufferBindingLayout{Type: isStorage}}))
	},
	"layout-vertex-storage": func(w *world) error {
		return second(w.layoutOf(webgpu.BindGroupLayoutEntry{Visibility: webgpu.ShaderStageVertex, Buffer: webgpu.BufferBindingLayout{Type: isStorage}}))
	},

	"group-entry-twice": func(w *world) error {
		return grouping(w, fill, bound(0, w.buffer(16, all)), bound(0, w.buffer(16, all)))
	},
	"group-entry-unknown": func(w *world) error {
		return grouping(w, fill, bound(0, w.buffer(16, all)), bound(1, w.buffer(16, all)))
	},
	"group-entry-missing": func(w *world) error { return grouping(w, move, bound(0, w.buffer(16, all))) },
	"group-entry-resource": func(w *world) error {
		return grouping(w, fill, webgpu.BindGroupEntry{Size: 4})
	},
	"group-entry-empty": func(w *world) error { return grouping(w, fill, webgpu.BindGroupEntry{Buffer: w.buffer(16, all)}) },
	"group-entry-range": func(w *world) error {
		return grouping(w, fill, webgpu.BindGroupEntry{Buffer: w.buffer(16, all), Size: 20})
	},
	"group-entry-size": func(w *world) error {
		return grouping(w, params, bound(0, w.buffer(16, uniform)), bound(1, w.buffer(16, all)))
	},
	"group-usage-uniform": func(w *world) error {
		return grouping(w, params, bound(0, w.buffer(32, all)), bound(1, w.buffer(16, all)))
	},
	"group-usage-storage": func(w *world) error { return grouping(w, fill, bound(0, w.buffer(16, copyDst))) },
	"group-uniform-limit": func(w *world) error {
		return second(w.groupOf(w.layout(entry(0, isUniform)), bound(0, w.buffer(64<<10+16, uniform))))
	},
	"group-storage-limit":    func(w *world) error { return grouping(w, fill, bound(0, w.buffer(128<<20+4, storage))) },
	"group-storage-multiple": func(w *world) error { return grouping(w, fill, bound(0, w.buffer(18, storage))) },
	"group-uniform-offset": func(w *world) error {
		return second(w.groupOf(w.layout(entry(0, isUniform)), webgpu.BindGroupEntry{Buffer: w.buffer(512, uniform), Offset: 16, Size: 16}))
	},
	"group-storage-offset": func(w *world) error {
		return grouping(w, fill, webgpu.BindGroupEntry{Buffer: w.buffer(512, storage), Offset: 64, Size: 16})
	},

	"pipeline-layout-groups": func(w *world) error {
		return second(w.CreatePipelineLayout(here(), "", make([]*webgpu.BindGroupLayout, 5)))
	},
	"pipeline-layout-slots": func(w *world) error {
		five := w.layout(many(5, isStorage)...)
		return second(w.CreatePipelineLayout(here(), "", []*webgpu.BindGroupLayout{five, five}))
	},
	"pipeline-layout-auto": func(w *world) error {
		return second(w.CreatePipelineLayout(here(), "", []*webgpu.BindGroupLayout{w.first(w.pipeline(fill))}))
	},

	"shader-mistake": func(w *world) error { return second(w.CreateShaderModule(here(), "", "fn main( {")) },
	"shader-feature": func(w *world) error {
		return second(w.CreateShaderModule(here(), "", "enable f16; "+fill))
	},
	"layout-index":         func(w *world) error { return second(w.pipeline(fill).BindGroupLayout(here(), 4)) },
	"pipeline-entry-point": func(w *world) error { return entering(w, fill, "mian") },
	"pipeline-entry-none":  func(w *world) error { return entering(w, fill, "") },
	"pipeline-entry-choice": func(w *world) error {
		return entering(w, `@compute @workgroup_size(1) fn a() {} @compute @workgroup_size(1) fn b() {}`, "")
	},
	"pipeline-binding-missing": func(w *world) error { return second(w.pipe(move, w.pipelineLayout(w.layout(entry(0, isReadOnly))))) },
	"pipeline-binding-visibility": func(w *world) error {
		hidden := entry(0, isReadOnly)
		hidden.Visibility = webgpu.ShaderStageVertex
		return second(w.pipe(move, w.pipelineLayout(w.layout(hidden, entry(1, isStorage)))))
	},
	"pipeline-binding-type": func(w *world) error {
		return second(w.pipe(move, w.pipelineLayout(w.layout(entry(0, isStorage), entry(1, isStorage)))))
	},
	"pipeline-binding-size": func(w *world) error {
		return second(w.pipe(params, w.pipelineLayout(w.layout(atLeast(entry(0, isUniform), 16), entry(1, isStorage)))))
	},
	"pipeline-creation": func(w *world) error {
		return second(w.pipe(`override n = 0; @compute @workgroup_size(n) fn main() {}`, nil))
	},
	"pipeline-constant-unknown": func(w *world) error {
		return second(w.CreateComputePipeline(here(), webgpu.PipelineDescriptor{Module: w.module(fill), EntryPoint: "main", Constants: map[string]float64{"n": 1}}))
	},
	"pipeline-constant": func(w *world) error {
		return second(w.pipe(`override n: u32; @compute @workgroup_size(n) fn main() {}`, nil))
	},
	"pipeline-workgroup-memory": func(w *world) error {
		return second(w.pipe(`var<workgroup> a: array<u32, 4097>; @compute @workgroup_size(1) fn main() { a[0] = 1u; }`, nil))
	},
	"pipeline-invocations": func(w *world) error { return second(w.pipe(`@compute @workgroup_size(16, 17) fn main() {}`, nil)) },
	"pipeline-workgroup-size": func(w *world) error {
		return second(w.pipe(`@compute @workgroup_size(1, 1, 65) fn main() {}`, nil))
	},

	"encoder-finished": func(w *world) error {
		e := w.encoder()
		w.finish(e)
		return e.ClearBuffer(here(), w.buffer(4, all), 0, 4)
	},
	"encoder-locked": func(w *world) error {
		e, _ := w.pass()
		return e.ClearBuffer(here(), w.buffer(4, all), 0, 4)
	},
	"pass-ended": func(w *world) error {
		_, p := w.pass()
		require.NoError(w.t, p.End(here()))
		return p.SetPipeline(here(), w.pipeline(fill))
	},
	"times-feature": func(w *world) error {
		o := w.plain()
		q, err := o.CreateQuerySet(here(), "", webgpu.QueryTypeOcclusion, 2)
		require.NoError(w.t, err)
		return o.encoder().WriteTimestamp(here(), q, 0)
	},
	"times-type": func(w *world) error {
		q, err := w.CreateQuerySet(here(), "", webgpu.QueryTypeOcclusion, 2)
		require.NoError(w.t, err)
		return w.encoder().WriteTimestamp(here(), q, 0)
	},
	"times-none":  func(w *world) error { return timing(w, nil, nil) },
	"times-same":  func(w *world) error { return timing(w, ref(1), ref(1)) },
	"times-index": func(w *world) error { return timing(w, ref(1), ref(2)) },
	"copy-exchanged": func(w *world) error {
		return w.encoder().CopyBufferToBuffer(here(), w.buffer(8, readback), 0, w.buffer(8, storage|copySrc), 0, 8)
	},
	"copy-usage-source": func(w *world) error {
		return w.encoder().CopyBufferToBuffer(here(), w.buffer(8, storage), 0, w.buffer(8, readback), 0, 8)
	},
	"copy-usage-destination": func(w *world) error {
		return w.encoder().CopyBufferToBuffer(here(), w.buffer(8, all), 0, w.buffer(8, mapRead), 0, 8)
	},
	"copy-multiple": func(w *world) error {
		return w.encoder().CopyBufferToBuffer(here(), w.buffer(8, all), 0, w.buffer(8, all), 2, 4)
	},
	"copy-source-range": func(w *world) error {
		return w.encoder().CopyBufferToBuffer(here(), w.buffer(8, all), 4, w.buffer(16, all), 0, 8)
	},
	"copy-destination-range": func(w *world) error {
		return w.encoder().CopyBufferToBuffer(here(), w.buffer(16, all), 0, w.buffer(8, all), 0, 12)
	},
	"copy-same": func(w *world) error {
		b := w.buffer(16, all)
		return w.encoder().CopyBufferToBuffer(here(), b, 0, b, 8, 8)
	},
	"clear-usage":    func(w *world) error { return w.encoder().ClearBuffer(here(), w.buffer(8, storage), 0, 8) },
	"clear-multiple": func(w *world) error { return w.encoder().ClearBuffer(here(), w.buffer(8, all), 0, 6) },
	"clear-range":    func(w *world) error { return w.encoder().ClearBuffer(here(), w.buffer(8, all), 4, 8) },
	"resolve-usage":  func(w *world) error { return resolving(w, w.buffer(64, all), 2, 0) },
	"resolve-queries": func(w *world) error {
		return resolving(w, w.buffer(64, resolve), 3, 0)
	},
	"resolve-offset": func(w *world) error { return resolving(w, w.buffer(512, resolve), 2, 128) },
	"resolve-range":  func(w *world) error { return resolving(w, w.buffer(12, resolve), 2, 0) },
	"finish-pass-open": func(w *world) error {
		e, _ := w.pass()
		return second(e.Finish(here(), ""))
	},
	"debug-open": func(w *world) error {
		e := w.encoder()
		require.NoError(w.t, e.PushDebugGroup(here()))
		return second(e.Finish(here(), ""))
	},
	"debug-none": func(w *world) error { return w.encoder().PopDebugGroup(here()) },

	"group-index": func(w *world) error {
		_, p := w.pass()
		return p.SetBindGroup(here(), 4, nil, nil)
	},
	"dynamic-count":     func(w *world) error { return offsetting(w) },
	"dynamic-alignment": func(w *world) error { return offsetting(w, 128) },
	"dynamic-range":     func(w *world) error { return offsetting(w, 512) },
	"dispatch-pipeline": func(w *world) error {
		_, p := w.pass()
		return p.DispatchWorkgroups(here(), 1, 1, 1)
	},
	"dispatch-group-missing": func(w *world) error { return dispatching(w, w.pipeline(fill), nil) },
	"dispatch-group-layout": func(w *world) error {
		return dispatching(w, w.pipeline(fill), w.group(w.layout(entry(0, isStorage)), w.buffer(16, all)))
	},
	"dispatch-group-auto": func(w *world) error {
		return dispatching(w, w.pipeline(fill), w.group(w.first(w.pipeline(fill)), w.buffer(16, all)))
	},
	"dispatch-binding-size": func(w *world) error {
		l := w.layout(entry(0, isUniform), entry(1, isStorage))
		p, err := w.pipe(params, w.pipelineLayout(l))
		require.NoError(w.t, err)
		return dispatching(w, p, w.group(l, w.buffer(16, uniform), w.buffer(16, all)))
	},
	"dispatch-alias": func(w *world) error {
		p, b := w.pipeline(move), w.buffer(16, all)
		return dispatching(w, p, w.group(w.first(p), b, b))
	},
	"dispatch-usages": func(w *world) error {
		p, b := w.pipeline(move), w.buffer(512, all)
		g, err := w.groupOf(w.first(p), webgpu.BindGroupEntry{Binding: 0, Buffer: b, Size: 16}, webgpu.BindGroupEntry{Binding: 1, Buffer: b, Offset: 256, Size: 16})
		require.NoError(w.t, err)
		return dispatching(w, p, g)
	},
	"dispatch-limit": func(w *world) error {
		p := w.pipeline(fill)
		_, pass := w.pass()
		require.NoError(w.t, pass.SetPipeline(here(), p))
		require.NoError(w.t, pass.SetBindGroup(here(), 0, w.group(w.first(p), w.buffer(16, all)), nil))
		return pass.DispatchWorkgroups(here(), 1, 65536, 1)
	},
	"indirect-usage":  func(w *world) error { return counting(w, w.buffer(16, all), 0) },
	"indirect-range":  func(w *world) error { return counting(w, w.buffer(16, indirect), 8) },
	"indirect-offset": func(w *world) error { return counting(w, w.buffer(16, indirect), 2) },
	"pass-end-again": func(w *world) error {
		_, p := w.pass()
		require.NoError(w.t, p.End(here()))
		return p.End(here())
	},

	"write-multiple":    func(w *world) error { return writing(w, w.buffer(8, all), 0, 3) },
	"write-unavailable": func(w *world) error { return writing(w, w.mapped(8), 0, 8) },
	"write-usage":       func(w *world) error { return writing(w, w.buffer(8, storage), 0, 8) },
	"write-offset":      func(w *world) error { return writing(w, w.buffer(8, all), 2, 4) },
	"write-range":       func(w *world) error { return writing(w, w.buffer(8, all), 4, 8) },
	"submit-twice": func(w *world) error {
		c := w.finish(w.encoder())
		return w.submit(c, c)
	},
	"submit-used": func(w *world) error {
		c := w.finish(w.encoder())
		require.NoError(w.t, w.submit(c))
		return w.submit(c)
	},
	"submit-mapped": func(w *world) error { return w.submit(w.copying(w.buffer(8, all), w.mapped(8), 8)) },
	"submit-pending": func(w *world) error {
		b := w.buffer(8, readback)
		c := w.copying(w.buffer(8, all), b, 8)
		require.NoError(w.t, mapping(b, 0, 8))
		return w.submit(c)
	},
	"submit-destroyed": func(w *world) error {
		b := w.buffer(8, all)
		c := w.copying(b, w.buffer(8, all), 8)
		b.Destroy(here())
		return w.submit(c)
	},
	"query-feature": func(w *world) error {
		return second(w.plain().CreateQuerySet(here(), "", webgpu.QueryTypeTimestamp, 2))
	},
	"query-count": func(w *world) error { return second(w.CreateQuerySet(here(), "", webgpu.QueryTypeTimestamp, 4097)) },
	"scope-none":  func(w *world) error { return second(w.PopErrorScope(here())) },
}

func second[T any](_ T, err error) error { return err }

func ref(n uint32) *uint32 { return &n }

func request(w *world, desc webgpu.DeviceDescriptor) error {
	a, err := w.instance.RequestAdapter(here(), false)
	require.NoError(w.t, err)
	return second(a.RequestDevice(here(), desc))
}

func limited(w *world, change func(*webgpu.Limits)) error {
	l := webgpu.UndefinedLimits()
	change(&l)
	return request(w, webgpu.DeviceDescriptor{Limits: &l})
}

func mapping(b *webgpu.Buffer, offset, bytes uint64) error {
	return b.MapAsync(here(), webgpu.MapModeRead, offset, bytes, unheard)
}

func ranging(b *webgpu.Buffer, offset, bytes uint64) error {
	return second(b.MappedRange(here(), offset, bytes))
}

func many(n int, kind webgpu.BufferBindingType) (entries []webgpu.BindGroupLayoutEntry) {
	for i := range n {
		entries = append(entries, entry(uint32(i), kind))
	}
	return entries
}

func bound(binding uint32, b *webgpu.Buffer) webgpu.BindGroupEntry {
	return webgpu.BindGroupEntry{Binding: binding, Buffer: b, Size: b.Size}
}

func grouping(w *world, code string, entries ...webgpu.BindGroupEntry) error {
	return second(w.groupOf(w.first(w.pipeline(code)), entries...))
}

func entering(w *world, code, entry string) error {
	return second(w.CreateComputePipeline(here(), webgpu.PipelineDescriptor{Module: w.module(code), EntryPoint: entry}))
}

func timing(w *world, begin, end *uint32) error {
	return second(w.encoder().BeginComputePass(here(), "", &webgpu.PassTimes{Set: w.queries(2), Begin: begin, End: end}))
}

func resolving(w *world, to *webgpu.Buffer, count uint32, offset uint64) error {
	return w.encoder().ResolveQuerySet(here(), w.queries(2), 0, count, to, offset)
}

func offsetting(w *world, offsets ...uint32) error {
	_, p := w.pass()
	g, err := w.groupOf(w.layout(dynamic(entry(0, isStorage))), webgpu.BindGroupEntry{Buffer: w.buffer(512, all), Size: 16})
	require.NoError(w.t, err)
	return p.SetBindGroup(here(), 0, g, offsets)
}

func dispatching(w *world, k *webgpu.ComputePipeline, g *webgpu.BindGroup) error {
	_, p := w.pass()
	require.NoError(w.t, p.SetPipeline(here(), k))
	if g != nil {
		require.NoError(w.t, p.SetBindGroup(here(), 0, g, nil))
	}
	return p.DispatchWorkgroups(here(), 1, 1, 1)
}

func counting(w *world, counts *webgpu.Buffer, offset uint64) error {
	k := w.pipeline(fill)
	_, p := w.pass()
	require.NoError(w.t, p.SetPipeline(here(), k))
	require.NoError(w.t, p.SetBindGroup(here(), 0, w.group(w.first(k), w.buffer(64, all)), nil))
	return p.DispatchWorkgroupsIndirect(here(), counts, offset)
}

func writing(w *world, b *webgpu.Buffer, offset uint64, bytes int) error {
	return w.Queue().WriteBuffer(here(), b, offset, make([]byte, bytes))
}

// Some rules hold in one language only: the Go binding is freer, and ends the process in other
// calls.
var (
	inJavaScript = map[string]bool{"device-second": true, "pipeline-entry-choice": true}
	inGo         = map[string]bool{"pipeline-entry-none": true, "callback-missing": true, "shader-empty": true, "released-twice": true}
)

// Each rule is broken by a program, which gets that rule's mistake, with all facts filled in.
func TestRules(t *testing.T) {
	for _, rule := range webgpu.Rules {
		t.Run(rule.ID, func(t *testing.T) {
			wrong := wrongs[rule.ID]
			require.NotNil(t, wrong, "no program breaks this rule")
			for _, dialect := range []*webgpu.Dialect{webgpu.JavaScript, webgpu.Go} {
				if dialect.Native && inJavaScript[rule.ID] || !dialect.Native && inGo[rule.ID] {
					continue
				}
				w := newWorld(t, dialect)
				err := wrong(w)
				var m *webgpu.Mistake
				require.ErrorAs(t, err, &m)
				require.Equal(t, rule.ID, m.Rule.ID, "%v", err)
				require.NotRegexp(t, `\{[a-z]+\}`, m.Error())
				require.Contains(t, m.At.String(), "_test.go:")
				require.Contains(t, w.Record().Mistakes, m)
				if dialect == webgpu.Go {
					t.Log(m)
				}
			}
		})
	}
	for id := range wrongs {
		require.True(t, hasRule(id), "there is no rule %s", id)
	}
}

func hasRule(id string) bool {
	for _, r := range webgpu.Rules {
		if r.ID == id {
			return true
		}
	}
	return false
}

// A rule's sentences are short and end with a full stop, and its section has an anchor.
func TestRulesAreSentences(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range webgpu.Rules {
		require.False(t, ids[r.ID], "%s is there twice", r.ID)
		ids[r.ID] = true
		for _, sentence := range []string{r.Wrong, r.Do} {
			require.Regexp(t, `[.}]$`, sentence, r.ID)
			require.LessOrEqual(t, len(strings.Fields(sentence)), 25, r.ID)
		}
		require.NotEmpty(t, r.Section.Name, r.ID)
		require.Regexp(t, `^[a-z-]+$`, r.Section.Anchor, r.ID)
	}
}

func TestMistakesOfEncodersComeBackAtTheEnd(t *testing.T) {
	w := newWorld(t, webgpu.Go)
	e, p := w.pass()
	first := p.DispatchWorkgroups(here(), 1, 1, 1)
	require.Error(t, first)
	require.Error(t, p.SetPipeline(here(), nil))
	require.Equal(t, first, p.End(here()))
	c, err := e.Finish(here(), "")
	require.Equal(t, first, err)
	require.ErrorContains(t, w.submit(c), "The command buffer", "an invalid command buffer")
}

func TestScopes(t *testing.T) {
	w := newWorld(t, webgpu.JavaScript)
	w.PushErrorScope(here(), webgpu.ErrorFilterValidation)
	w.PushErrorScope(here(), webgpu.ErrorFilterOutOfMemory)
	first := w.try(4, 0)
	require.Error(t, w.try(4, 0x400))
	caught, err := w.PopErrorScope(here())
	require.NoError(t, err)
	require.NoError(t, caught)
	caught, err = w.PopErrorScope(here())
	require.NoError(t, err)
	require.Equal(t, first, caught)
	require.Empty(t, w.Uncaptured())
	last := w.try(4, 0)
	require.Equal(t, []error{last}, w.Uncaptured())
	require.Empty(t, w.Uncaptured())
}

// A mistake names the program's variable, its own line, and the line that made the object.
func TestMistakesNameTheProgram(t *testing.T) {
	w := newWorld(t, webgpu.Go)
	result, err := w.CreateBuffer(webgpu.Caller(0), webgpu.BufferDescriptor{Size: 1000, Usage: storage})
	require.NoError(t, err)
	err = w.encoder().CopyBufferToBuffer(webgpu.Caller(0), result, 0, w.buffer(250, readback), 0, 250)
	var m *webgpu.Mistake
	require.ErrorAs(t, err, &m)
	require.Equal(t, "The buffer `result` is copied from, but its usage is `BufferUsageStorage`.", m.Wrong)
	require.Equal(t, "Add `BufferUsageCopySrc` where you make it.", m.Do)
	require.Equal(t, m.Made.Resolved().Line+2, m.At.Resolved().Line)
	require.Equal(t, fmt.Sprintf("%s: %s %s (Made at %s.)", m.At.Quoted(), m.Wrong, m.Do, m.Made.Quoted()), err.Error())
	require.Regexp(t, "^rules_test.go:\\d+, `err = w.encoder().*…`: ", err.Error())
	require.False(t, errors.Is(err, errors.ErrUnsupported))
}

// Elements in place of bytes are a guess that a mistake in a size allows.
func TestElementsForBytes(t *testing.T) {
	w := newWorld(t, webgpu.Go)
	var m *webgpu.Mistake
	require.ErrorAs(t, writing(w, w.buffer(100, all), 0, 400), &m)
	require.True(t, m.Elements)
	require.Equal(t, "Sizes are in bytes, and one of these numbers is a quarter of the other. Each element has 4: 100 · 4 = 400.", m.Do)
	require.ErrorAs(t, writing(w, w.buffer(100, all), 0, 300), &m)
	require.False(t, m.Elements)
}
