// matmul-tiled: out = a * b as in matmul, but each number is fetched less often.
//
// A workgroup of 16 × 16 invocations computes a 16 × 16 tile of out, one element
// each. They need many of the same numbers: all 16 invocations of one row need
// the same row of a. So the workgroup walks along k in tiles. Its invocations
// fetch one tile of a and one of b into workgroup memory, one number of each per
// invocation. They wait for one another, and then all of them use both tiles. A
// workgroup fetches each number from the slow storage buffer once, not 16 times.
//
// The sizes need not be multiples of 16. Anything outside a matrix counts as 0,
// which adds nothing. No invocation may return early, because every invocation
// of a workgroup must reach every barrier.

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
var<workgroup> b_tile: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let column = id.x;
    let row = id.y;
    var total = 0.0;
    for (var start = 0u; start < dims.k; start += TILE) {
        a_tile[local.y][local.x] = a_at(row, start + local.x);
        b_tile[local.y][local.x] = b_at(start + local.y, column);
        workgroupBarrier(); // the tiles are complete
        for (var i = 0u; i < TILE; i++) {
            total += a_tile[local.y][i] * b_tile[i][local.x];
        }
        workgroupBarrier(); // all invocations are done with them
    }
    if (row < dims.m && column < dims.n) {
        out[row * dims.n + column] = total;
    }
}

fn a_at(row: u32, column: u32) -> f32 {
    if (row < dims.m && column < dims.k) {
        return a[row * dims.k + column];
    }
    return 0.0;
}

fn b_at(row: u32, column: u32) -> f32 {
    if (row < dims.k && column < dims.n) {
        return b[row * dims.n + column];
    }
    return 0.0;
}
