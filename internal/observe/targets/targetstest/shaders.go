// Package targetstest has a shader for each optional feature of WGSL, with what it computes. Tests
// of the front end, of the simulator and of browsers use them.
package targetstest

// Targets are the implementations that a FeatureShader's Lacking is about.
const Targets = "chrome-150,safari-26,firefox-151"

// A FeatureShader is a shader that needs one optional feature.
type FeatureShader struct {
	Feature string
	Text    string
	Binds   []string // as wgslab simulate takes them; binding 0 is the output; none: nothing is run
	Lacking string   // those of Targets that lack the feature, as a message has them
	Also    []string // the other features that the shader needs
	Out     []uint32 // binding 0 afterwards
}

// out is the output of the shaders that run.
const out = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n"

// Shaders are those for the features of the specification's tables (§ 4.1.1, § 4.1.2), and one for
// a proposal's.
var Shaders = []FeatureShader{
	{
		Feature: "readonly_and_readwrite_storage_textures", Lacking: "", Binds: []string{"0=u32[4]:0", "1=r32uint[4,1]:0,0,0,0"}, Out: []uint32{1, 4, 7, 10},
		Text: out + `@group(0) @binding(1) var t: texture_storage_2d<r32uint, read_write>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  let at = vec2u(i, 0);
  textureStore(t, at, vec4u(3 * i));
  textureBarrier();
  out[i] = textureLoad(t, at).r + 1;
}`,
	},
	{
		Feature: "packed_4x8_integer_dot_product", Lacking: "", Binds: []string{"0=u32[3]:0"}, Out: []uint32{70, 0xfffffff6, 0x04030201},
		Text: out + `@compute @workgroup_size(1) fn main() {
  let a = pack4xU8(vec4u(1, 2, 3, 4) + out[0]);
  out[0] = dot4U8Packed(a, 0x08070605);
  out[1] = bitcast<u32>(dot4I8Packed(a, 0xffffffff));
  out[2] = a;
}`,
	},
	{
		Feature: "unrestricted_pointer_parameters", Lacking: "Firefox 151", Binds: []string{"0=u32[4]:5"}, Out: []uint32{10, 5, 10, 5},
		Text: out + `fn double(p: ptr<storage, u32, read_write>) { *p *= 2; }
@compute @workgroup_size(1) fn main() {
  for (var i = 0u; i < arrayLength(&out); i += 2) { double(&out[i]); }
}`,
	},
	{
		Feature: "pointer_composite_access", Lacking: "", Binds: []string{"0=u32[3]:0"}, Out: []uint32{7, 8, 9},
		Text: `struct S { a: u32, b: array<u32, 2> }
@group(0) @binding(0) var<storage, read_write> out: S;
@compute @workgroup_size(1) fn main() {
  let p = &out;
  p.a = 7;
  p.b[0] = p.a + 1;
  p.b[1] = 9;
}`,
	},
	{
		Feature: "uniform_buffer_standard_layout", Lacking: "Safari 26 and Firefox 151", Binds: []string{"0=u32[4]:0", "1=u32:1,2,3,4,5,6,7,8"}, Out: []uint32{2, 4, 6, 8},
		Text: `struct S { list: array<u32, 5>, last: vec2u }
` + out + `@group(0) @binding(1) var<uniform> u: S;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  out[i] = u.list[i] * 2;
  if i == 3 { out[3] = u.last.y; }
}`,
	},
	{
		Feature: "subgroup_id", Lacking: "Safari 26 and Firefox 151", Also: []string{"subgroups"}, Binds: []string{"0=u32[12]:0"},
		Out: []uint32{3, 3, 3, 3, 13, 13, 13, 13, 23, 23, 23, 23},
		Text: `// subgroups: 4
enable subgroups;
` + out + `@compute @workgroup_size(12) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_id) s: u32, @builtin(num_subgroups) n: u32) {
  out[i] = 10 * s + n;
}`,
	},
	{
		Feature: "subgroup_uniformity", Lacking: "Safari 26 and Firefox 151", Also: []string{"subgroup_id", "subgroups"}, Binds: []string{"0=u32[8]:0"},
		Out: []uint32{6, 6, 6, 6, 1, 1, 1, 1},
		Text: `// subgroups: 4
enable subgroups;
` + out + `@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_id) s: u32) {
  out[i] = 1;
  if s == 0 { out[i] = subgroupAdd(i); }
}`,
	},
	{
		Feature: "texture_and_sampler_let", Lacking: "Safari 26 and Firefox 151", Binds: []string{"0=u32[2]:0", "1=rgba8unorm[3,5]"}, Out: []uint32{3, 5},
		Text: out + `@group(0) @binding(1) var pictures: texture_2d<f32>;
@compute @workgroup_size(1) fn main() {
  let t = pictures;
  out[0] = textureDimensions(t).x;
  out[1] = textureDimensions(t).y + u32(textureLoad(t, vec2u(), 0).r);
}`,
	},
	{
		Feature: "texture_formats_tier1", Lacking: "Safari 26 and Firefox 151", Binds: []string{"0=u32[2]:0", "1=rg16uint[2,2]:0,0,0,0,0,0,0,0"}, Out: []uint32{2, 2},
		Text: out + `@group(0) @binding(1) var t: texture_storage_2d<rg16uint, write>;
@compute @workgroup_size(1) fn main() {
  textureStore(t, vec2u(1, 1), vec4u(7));
  out[0] = textureDimensions(t).x;
  out[1] = textureDimensions(t).y;
}`,
	},
	{
		Feature: "linear_indexing", Lacking: "Safari 26 and Firefox 151", Binds: []string{"0=u32[32]:0"},
		Out: []uint32{0, 1, 10, 11, 2, 3, 12, 13, 20, 21, 30, 31, 22, 23, 32, 33, 40, 41, 50, 51, 42, 43, 52, 53, 60, 61, 70, 71, 62, 63, 72, 73},
		Text: out + `@compute @workgroup_size(2, 2) fn main(@builtin(global_invocation_index) i: u32, @builtin(workgroup_index) g: u32, @builtin(local_invocation_index) l: u32) {
  out[i] = 10 * g + l;
}`,
	},
	{
		Feature: "immediate_address_space", Lacking: "Safari 26 and Firefox 151", Binds: []string{"0=u32[4]:0", "immediate=u32:0x40000000,0,10,100"}, Out: []uint32{24, 214, 224, 414},
		Text: `struct P { scale: f32, add: vec2u }
var<immediate> p: P;
` + out + `fn second() -> u32 { return p.add.y; }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  out[i] = u32(p.scale * 2.0) + p.add.x + second() * i + p.add[i % 2];
}`,
	},
	{
		Feature: "fragment_depth", Lacking: "Chrome 150, Safari 26 and Firefox 151",
		Text: "@fragment fn main() -> @builtin(frag_depth, less) f32 { return 0; }",
	},
	{
		Feature: "swizzle_assignment", Lacking: "Chrome 150, Safari 26 and Firefox 151", Binds: []string{"0=u32[8]:1"}, Out: []uint32{3, 1, 2, 4, 9, 8, 1, 1},
		Text: `@group(0) @binding(0) var<storage, read_write> out: array<vec4u, 2>;
@compute @workgroup_size(1) fn main() {
  var v = vec4u(1, 2, 3, 4);
  v.yzx = v.xyz;
  out[0] = v;
  out[1].yx = vec2u(8, 9);
}`,
	},
	{
		Feature: "buffer_view", Lacking: "Chrome 150, Safari 26 and Firefox 151", Also: []string{"unrestricted_pointer_parameters"},
		Binds: []string{"0=u32[24]:0", "1=u32:3,0x3f800000,0x40000000,0x40400000,0x40800000,0x40a00000", "2=u32[16]"},
		Out:   []uint32{60, 60, 60, 60, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 24, 64, 64, 24, 5, 3, 5, 0, 8, 9, 7, 0, 1, 2, 3, 11},
		Text: `struct Head { n: u32, list: array<f32> }
@group(0) @binding(0) var<storage, read_write> out: buffer<96>;
@group(0) @binding(1) var<storage> src: buffer;
@group(0) @binding(2) var<uniform> uni: buffer<64>;
var<workgroup> tile: buffer<64>;
struct Padded { a: vec3u, b: u32 }
var<workgroup> beside: array<Padded, 4>;
fn bytes(p: ptr<storage, buffer>) -> u32 { return bufferLength(p); }
fn fewer(p: ptr<storage, buffer<64>, read_write>) -> u32 { return bufferLength(p); }
fn sum(p: ptr<workgroup, array<u32>>) -> u32 {
  var s = 0u;
  for (var i = 0u; i < arrayLength(p); i++) { s += (*p)[i]; }
  return s;
}
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  *bufferView<u32>(&tile, i * 4) = i * 10;
  beside[i].b = 4 + i;
  workgroupBarrier();
  let words = bufferView<array<u32>>(&out, 0);
  (*words)[i] = sum(bufferArrayView<array<u32>>(&tile, 0, 16));
  (*words)[4 + i] = bitcast<u32>((*bufferView<array<f32>>(&src, 4))[i]);
  if i == 0 {
    (*words)[8] = bytes(&src);
    (*words)[9] = fewer(&out);
    (*words)[10] = bufferLength(&uni);
    (*words)[11] = arrayLength(words);
    let head = bufferView<Head>(&src, 0);
    (*words)[12] = arrayLength(&(*head).list);
    (*words)[13] = u32((*head).list[2]);
    (*words)[14] = beside[1].b;
    let v = bufferView<vec3u>(&out, 64);
    (*v).x = 8;
    (*v).y = 9;
    (*v).z = 7;
    *bufferView<vec3u>(&out, 80) = vec3u(1, 2, 3);
    (*words)[23] = (*bufferView<vec4u>(&uni, 32)).w;
  }
}`,
	},
	{
		Feature: "f16", Lacking: "Firefox 151", Binds: []string{"0=u32[1]:0"}, Out: []uint32{2048},
		Text: `enable f16;
` + out + `@compute @workgroup_size(1) fn main() { out[0] = u32(f16(2047.0 + f32(out[0])) + 1.5h - 0.5h); }`,
	},
	{
		Feature: "clip_distances", Lacking: "Safari 26 and Firefox 151",
		Text: `enable clip_distances;
struct V { @builtin(position) p: vec4f, @builtin(clip_distances) d: array<f32, 2> }
@vertex fn main() -> V { return V(); }`,
	},
	{
		Feature: "dual_source_blending", Lacking: "Safari 26 and Firefox 151",
		Text: `enable dual_source_blending;
struct C { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }
@fragment fn main() -> C { return C(); }`,
	},
	{
		Feature: "subgroups", Lacking: "Safari 26 and Firefox 151", Binds: []string{"0=u32[8]:0"}, Out: []uint32{6, 6, 6, 6, 22, 22, 22, 22},
		Text: `// subgroups: 4
enable subgroups;
` + out + `@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { out[i] = subgroupAdd(i); }`,
	},
	{
		Feature: "primitive_index", Lacking: "Safari 26 and Firefox 151",
		Text: `enable primitive_index;
@fragment fn main(@builtin(primitive_index) i: u32) -> @location(0) vec4u { return vec4u(i); }`,
	},
	{
		Feature: "subgroup_size_control", Lacking: "Chrome 150, Safari 26 and Firefox 151", Also: []string{"subgroups"}, Binds: []string{"0=u32[4]:0"}, Out: []uint32{4, 4, 4, 4},
		Text: `enable subgroups, subgroup_size_control;
` + out + `@compute @workgroup_size(4) @subgroup_size(4) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) n: u32) { out[i] = n; }`,
	},
	{
		Feature: "atomic_vec2u_min_max", Lacking: "Chrome 150, Safari 26 and Firefox 151", Binds: []string{"0=u32[2]:0"}, Out: []uint32{7, 1},
		Text: `enable atomic_vec2u_min_max;
@group(0) @binding(0) var<storage, read_write> out: atomic<vec2u>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { atomicStoreMax(&out, vec2u(7 - i % 2, 1)); }`,
	},
}

// Workgroups returns the workgroups of a shader: several where the feature is about them.
func (r *FeatureShader) Workgroups() [3]uint32 {
	if r.Feature == "linear_indexing" {
		return [3]uint32{2, 2, 2}
	}
	return [3]uint32{1, 1, 1}
}
