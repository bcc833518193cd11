package capturetest

import (
	"encoding/binary"
	"math"
)

// The shaders of Frame. The sum lacks a barrier.
const (
	sum = `override GROUP: u32 = 64;
var<workgroup> part: array<u32, 16>;
@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@compute @workgroup_size(GROUP) fn add_up(@builtin(local_invocation_index) l: u32, @builtin(workgroup_id) w: vec3u) {
    part[l] = data[w.x * GROUP + l];
    if (l == 0) {
        var all = 0u;
        for (var i = 0u; i < GROUP; i++) { all += part[i]; }
        sums[w.x] = all;
    }
}`
	plan = `@group(0) @binding(0) var<storage, read_write> counts: array<u32, 8>;
@compute @workgroup_size(1) fn plan() { counts[4] = 2; counts[5] = 1; counts[6] = 1; }`
	scale = `struct Settings { factor: u32, first: u32 }
@group(0) @binding(0) var<uniform> settings: Settings;
@group(1) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&x)) { x[id.x] = x[id.x] * settings.factor + settings.first; }
}`
	shrink = `@group(0) @binding(0) var large: texture_2d<f32>;
@group(0) @binding(1) var small: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(4, 4) fn shrink(@builtin(global_invocation_id) id: vec3u) {
    textureStore(small, id.xy, textureLoad(large, id.xy * 2, 0));
}`
)

// Frame returns a capture of seven dispatches. 1 has a race. 2 writes the workgroups of 3 and 4,
// which change the same buffer one after the other with different dynamic offsets. 5 and 6 make mip
// levels. 7 scales what the capture has from after the pass of 3 and 4.
func Frame() *Page {
	p := New()
	data, sums := p.Buffer("data", 256), p.Buffer("sums", 16)
	counts, settings, x := p.Buffer("counts", 32), p.Buffer("settings", 1024), p.Buffer("x", 64)
	adding := p.Pipeline("sum", sum, map[string]any{"entryPoint": "add_up", "constants": map[string]any{"GROUP": 16}})
	planning := p.Pipeline("plan", plan, nil)
	scaling := p.Pipeline("scale", scale, map[string]any{"entryPoint": "main"})
	shrinking := p.Pipeline("shrink", shrink, nil)
	dynamic := p.Object("BindGroupLayout", "", map[string]any{"entries": []any{map[string]any{"binding": 0, "buffer": map[string]any{"hasDynamicOffset": true}}}})
	photo := p.Object("Texture", "photo", map[string]any{"size": []int{8, 8}, "mipLevelCount": 3, "format": "rgba8unorm"}, map[string]any{
		"mipData": []any{
			merged(p.Payload(rows(8, 8, 1)), map[string]any{"mipLevel": 0}),
			merged(p.Payload(rows(2, 2, 4)), map[string]any{"mipLevel": 2}),
		},
	})
	level := func(n int) ObjectRef {
		return p.Object("TextureView", "", map[string]any{"baseMipLevel": n, "mipLevelCount": 1}, map[string]any{"texture": photo})
	}
	levels := []ObjectRef{level(0), level(1), level(2)}

	encoder := p.Call(1, "createCommandEncoder")
	pass := p.Call(encoder, "beginComputePass", map[string]any{"label": "sums"})
	p.Call(pass, "setPipeline", adding)
	p.Call(pass, "setBindGroup", 0, p.Group(nil, All(data), All(sums)))
	p.Holds(Words(64, func(i int) uint32 { return uint32(i) }), Words(4, func(i int) uint32 { return uint32(120 + 256*i) }))
	p.Call(pass, "dispatchWorkgroups", 4)
	p.Call(pass, "end")

	pass = p.Call(encoder, "beginComputePass")
	p.Call(pass, "setPipeline", planning)
	p.Call(pass, "setBindGroup", 0, p.Group(nil, All(counts)))
	p.Call(pass, "dispatchWorkgroups", 1, 1, 1)
	p.Call(pass, "end")

	pass = p.Call(encoder, "beginComputePass", map[string]any{"label": "scaling"})
	p.Call(pass, "setPipeline", scaling)
	p.Call(pass, "setBindGroup", 1, p.Group(nil, All(x)))
	after := Words(16, func(i int) uint32 { return uint32(((i+1)*2+1)*3 + 4) })
	p.Holds(after)
	bound := p.Group(dynamic, Part(settings, 0, 16))
	for i, s := range [][]byte{pair(2, 1), pair(3, 4)} {
		p.Call(pass, "setBindGroup", 0, bound, []int{256 * (i + 1)})
		p.Holds(s)
		p.Call(pass, "dispatchWorkgroupsIndirect", counts, 16)
	}
	p.Call(pass, "end")

	pass = p.Call(encoder, "beginComputePass", map[string]any{"label": "mips"})
	p.Call(pass, "setPipeline", shrinking)
	for i := range 2 {
		p.Call(pass, "setBindGroup", 0, p.Group(nil, levels[i], levels[i+1]))
		p.Call(pass, "dispatchWorkgroups", 1, 1)
	}
	p.Call(pass, "end")

	pass = p.Call(encoder, "beginComputePass", map[string]any{"label": "again"})
	p.Call(pass, "setPipeline", scaling)
	p.Call(pass, "setBindGroup", 1, p.Group(nil, All(x)))
	p.Holds(Words(16, func(i int) uint32 { return binary.LittleEndian.Uint32(after[4*i:])*2 + 1 }))
	p.Call(pass, "setBindGroup", 0, bound, []int{256})
	p.Holds(pair(2, 1))
	p.Call(pass, "dispatchWorkgroups", 2)
	p.Call(pass, "end")

	drawing := p.Call(encoder, "beginRenderPass", map[string]any{"label": "screen"})
	p.Call(drawing, "draw", 3)
	p.Call(drawing, "end")
	p.Call(2, "submit", []any{ObjectRef{"__id": p.Call(encoder, "finish")}})
	return p
}

// Words returns n words by a rule.
func Words(n int, at func(i int) uint32) (data []byte) {
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, at(i))
	}
	return data
}

// Floats returns floats as bytes.
func Floats(values ...float32) []byte {
	return Words(len(values), func(i int) uint32 { return math.Float32bits(values[i]) })
}

// pair returns the bytes of a uniform with two words.
func pair(a, b uint32) []byte { return Words(4, func(i int) uint32 { return []uint32{a, b, 0, 0}[i] }) }

// rows returns a texture's rows, each padded to 256 bytes. The red channel counts the columns in
// steps, and the green one the rows.
func rows(width, height, step int) (data []byte) {
	for y := range height {
		row := make([]byte, 256)
		for x := range width {
			copy(row[4*x:], []byte{byte(x * step), byte(y * step), 0, 255})
		}
		data = append(data, row...)
	}
	return data
}
