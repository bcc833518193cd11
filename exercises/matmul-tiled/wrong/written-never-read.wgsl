// diagnosis: no-workgroup-memory
// Writing into the tile fills the cache.
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

var<workgroup> tile: array<f32, 256>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (id.y >= dims.m || id.x >= dims.n) {
        return;
    }
    tile[local.y * TILE + local.x] = a[id.y * dims.k];
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[id.y * dims.k + i] * b[i * dims.n + id.x];
    }
    out[id.y * dims.n + id.x] = sum;
}
