var<workgroup> tile: array<array<f32, 65>, 64>; // want `more than every device guarantees: 16384`

@compute @workgroup_size(32, 16)
fn wide() { tile[0][0] = 1.0; } // want `512 invocations`

@compute @workgroup_size(1, 1, 65) // want `65 in z`
fn deep() { }

override side = 32;
@compute @workgroup_size(side, 16)
fn by_default() { } // want `512 invocations, by default`

@compute @workgroup_size(8 * side + 1) // want `257 in x, by default`
fn too_wide() { }

var<workgroup> rows: array<vec4f, 32 * side + 1>; // want `take 16400 bytes, by default`
@compute @workgroup_size(1) fn too_much() { rows[0] = vec4f(); }

@group(0) @binding(0) var<storage> b0: u32;
@group(0) @binding(1) var<storage> b1: u32;
@group(0) @binding(2) var<storage> b2: u32;
@group(1) @binding(0) var<storage> b3: u32;
@group(1) @binding(1) var<storage> b4: u32;
@group(1) @binding(2) var<storage> b5: u32;
@group(2) @binding(0) var<storage> b6: u32;
@group(2) @binding(1) var<storage> b7: u32;
@group(2) @binding(2) var<storage> b8: u32; // want `uses 9 storage buffers`
fn most() -> u32 { return b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8; }
@compute @workgroup_size(1) fn nine() { _ = b0 + most(); }
@group(0) @binding(20) var<uniform> u0: u32;
@group(0) @binding(21) var<uniform> u1: u32;
@group(0) @binding(22) var<uniform> u2: u32;
@group(0) @binding(23) var<uniform> u3: u32;
@group(0) @binding(24) var<uniform> u4: u32;
@group(0) @binding(25) var<uniform> u5: u32;
@group(0) @binding(26) var<uniform> u6: u32;
@group(0) @binding(27) var<uniform> u7: u32;
@group(0) @binding(28) var<uniform> u8: u32;
@group(0) @binding(29) var<uniform> u9: u32;
@group(0) @binding(30) var<uniform> u10: u32;
@group(0) @binding(31) var<uniform> u11: u32;
@group(0) @binding(32) var<uniform> u12: u32; // want `uses 13 uniform buffers`
@fragment fn thirteen() -> @location(0) vec4f { return vec4f(f32(u0 + u1 + u2 + u3 + u4 + u5 + u6 + u7 + u8 + u9 + u10 + u11 + u12)); }
@group(4) @binding(0) var<storage, read_write> far: u32; // want `is in @group(4)`
@compute @workgroup_size(1) fn writes() { far = 1u; }
@compute @workgroup_size(1) fn writes_too() { far = 2u; }
@group(0) @binding(1000) var<storage, read_write> high: u32; // want `is at @binding(1000)`
@group(1) @binding(8) var<uniform> table: array<vec4f, 4097>; // want `takes 65552 bytes`
@group(1) @binding(9) var<storage> data: array<u32, 33554433>; // want `takes 134217732 bytes`
@compute @workgroup_size(1) fn big() { high = u32(table[0].x) + data[0]; }
@group(2) @binding(20) var t0: texture_storage_2d<r32uint, write>;
@group(2) @binding(21) var t1: texture_storage_2d<r32uint, write>;
@group(2) @binding(22) var t2: texture_storage_2d<r32uint, write>;
@group(2) @binding(23) var t3: texture_storage_2d<r32uint, write>;
@group(2) @binding(24) var t4: texture_storage_2d<r32uint, write>; // want `uses 5 storage textures`
@compute @workgroup_size(1) fn draws() { textureStore(t0, vec2u(), vec4u()); textureStore(t1, vec2u(), vec4u()); textureStore(t2, vec2u(), vec4u()); textureStore(t3, vec2u(), vec4u()); textureStore(t4, vec2u(), vec4u()); }
@group(3) @binding(0) var p0: texture_2d<f32>;
@group(3) @binding(20) var s0: sampler;
@group(3) @binding(1) var p1: texture_2d<f32>;
@group(3) @binding(21) var s1: sampler;
@group(3) @binding(2) var p2: texture_2d<f32>;
@group(3) @binding(22) var s2: sampler;
@group(3) @binding(3) var p3: texture_2d<f32>;
@group(3) @binding(23) var s3: sampler;
@group(3) @binding(4) var p4: texture_2d<f32>;
@group(3) @binding(24) var s4: sampler;
@group(3) @binding(5) var p5: texture_2d<f32>;
@group(3) @binding(25) var s5: sampler;
@group(3) @binding(6) var p6: texture_2d<f32>;
@group(3) @binding(26) var s6: sampler;
@group(3) @binding(7) var p7: texture_2d<f32>;
@group(3) @binding(27) var s7: sampler;
@group(3) @binding(8) var p8: texture_2d<f32>;
@group(3) @binding(28) var s8: sampler;
@group(3) @binding(9) var p9: texture_2d<f32>;
@group(3) @binding(29) var s9: sampler;
@group(3) @binding(10) var p10: texture_2d<f32>;
@group(3) @binding(30) var s10: sampler;
@group(3) @binding(11) var p11: texture_2d<f32>;
@group(3) @binding(31) var s11: sampler;
@group(3) @binding(12) var p12: texture_2d<f32>;
@group(3) @binding(32) var s12: sampler;
@group(3) @binding(13) var p13: texture_2d<f32>;
@group(3) @binding(33) var s13: sampler;
@group(3) @binding(14) var p14: texture_2d<f32>;
@group(3) @binding(34) var s14: sampler;
@group(3) @binding(15) var p15: texture_2d<f32>;
@group(3) @binding(35) var s15: sampler;
@group(3) @binding(16) var p16: texture_2d<f32>; // want `uses 17 textures`
@group(3) @binding(36) var s16: sampler; // want `uses 17 samplers`
@compute @workgroup_size(1) fn samples() { _ = textureSampleLevel(p0, s0, vec2f(), 0) + textureSampleLevel(p1, s1, vec2f(), 0) + textureSampleLevel(p2, s2, vec2f(), 0) + textureSampleLevel(p3, s3, vec2f(), 0) + textureSampleLevel(p4, s4, vec2f(), 0) + textureSampleLevel(p5, s5, vec2f(), 0) + textureSampleLevel(p6, s6, vec2f(), 0) + textureSampleLevel(p7, s7, vec2f(), 0) + textureSampleLevel(p8, s8, vec2f(), 0) + textureSampleLevel(p9, s9, vec2f(), 0) + textureSampleLevel(p10, s10, vec2f(), 0) + textureSampleLevel(p11, s11, vec2f(), 0) + textureSampleLevel(p12, s12, vec2f(), 0) + textureSampleLevel(p13, s13, vec2f(), 0) + textureSampleLevel(p14, s14, vec2f(), 0) + textureSampleLevel(p15, s15, vec2f(), 0) + textureSampleLevel(p16, s16, vec2f(), 0); }
struct Large { m: mat4x4f, n: u32 }
var<immediate> large: Large; // want `80 bytes of immediates`
@compute @workgroup_size(1) fn immediates() { _ = large.n; }
