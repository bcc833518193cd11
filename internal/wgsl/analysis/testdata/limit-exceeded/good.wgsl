var<workgroup> tile: array<f32, 4096>;
var<workgroup> other: array<f32, 4096>;
override width: u32;
override deep = 16;
var<workgroup> later: array<vec4f, width * 1024>;
@group(4) @binding(1000) var<storage> unused: array<f32>;

@compute @workgroup_size(16, 16)
fn main() { tile[0] = 1.0; }

@compute @workgroup_size(16, deep)
fn another() { other[0] = 1.0; }

@compute @workgroup_size(width, 64)
fn chosen() { later[0] = vec4f(); } // the host has to choose

@group(0) @binding(0) var<storage> a0: u32;
@group(0) @binding(1) var<storage> a1: u32;
@group(0) @binding(2) var<storage> a2: u32;
@group(0) @binding(3) var<storage> a3: u32;
@group(1) @binding(0) var<storage> a4: u32;
@group(1) @binding(1) var<storage> a5: u32;
@group(1) @binding(2) var<storage> a6: u32;
@group(3) @binding(999) var<storage, read_write> a7: u32;
@group(3) @binding(999) var<storage, read_write> a8: u32;
@compute @workgroup_size(1) fn eight() { a7 = a0 + a1 + a2 + a3 + a4 + a5 + a6; }
@compute @workgroup_size(1) fn eight_others() { a8 = a0 + a1 + a2 + a3 + a4 + a5 + a6; }
@fragment fn drawing() -> @location(0) vec4f { return vec4f(f32(a0 + a1 + a2 + a3 + a4 + a5 + a6)); }
@group(2) @binding(0) var<uniform> table: array<vec4f, 4096>;
@compute @workgroup_size(1) fn looks() { a7 = u32(table[0].x); }
