// diagnosis: divergent-barrier
// Only invocations with an element walk along k.
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

var<workgroup> a_tile: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let inside = id.y < dims.m && id.x < dims.n;
    if (inside) {
        var sum = 0.0;
        for (var start = 0u; start < dims.k; start += TILE) {
            a_tile[local.y][local.x] = a[id.y * dims.k + min(start + local.x, dims.k - 1u)];
            workgroupBarrier();
            for (var i = 0u; i < min(TILE, dims.k - start); i++) {
                sum += a_tile[local.y][i] * b[(start + i) * dims.n + id.x];
            }
            workgroupBarrier();
        }
        out[id.y * dims.n + id.x] = sum;
    }
}
