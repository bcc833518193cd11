// diagnosis: old-edge
// title: Where the last tile sticks out, values of the tile before it were added again.
// why: Your condition keeps the invocations from reading out of bounds, so they store nothing there. But
//   the tile keeps what the round before left in it, and the sum goes over the whole tile.
// ask: In the last round, what does the tile hold where the condition is false? What should it hold?
// Only elements that exist have to be loaded.
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

var<workgroup> ta: array<array<f32, TILE>, TILE>;
var<workgroup> tb: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    var sum = 0.0;
    for (var t = 0u; t < dims.k; t += TILE) {
        if (row < dims.m && t + local.x < dims.k) {
            ta[local.y][local.x] = a[row * dims.k + t + local.x];
        }
        if (t + local.y < dims.k && col < dims.n) {
            tb[local.y][local.x] = b[(t + local.y) * dims.n + col];
        }
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += ta[local.y][i] * tb[i][local.x];
        }
        workgroupBarrier();
    }
    if (row < dims.m && col < dims.n) {
        out[row * dims.n + col] = sum;
    }
}
