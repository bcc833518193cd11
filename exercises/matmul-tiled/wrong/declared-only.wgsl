// diagnosis: no-workgroup-memory
// title: The values are right, but nothing is shared in workgroup memory.
// why: Each invocation fetches all of its numbers itself, from the slow storage buffer. The 16
//   invocations of one row need the same row of a: one of them could fetch an element, and all
//   could use it.
// ask: Which kind of variable can all invocations of a workgroup see, but none outside of it?
// Declaring the tile makes the device use it.
const TILE = 16u;
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

var<workgroup> tile: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (id.y >= dims.m || id.x >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[id.y * dims.k + i] * b[i * dims.n + id.x];
    }
    out[id.y * dims.n + id.x] = sum;
}
