// fast/tiled: the invocations of a workgroup fetch together.
//
// The 16 invocations of one row all need the same row of a. So the workgroup walks
// along k in tiles. Each invocation fetches one number of a and one of b into
// workgroup memory, which is close by, and then all of them use both tiles. A
// workgroup fetches each number from the distant buffer once, not 16 times.
//
// Anything outside the matrices counts as 0. No invocation may return early: all of a
// workgroup must reach every barrier.

const ROWS = 16u; // rows of out per workgroup
const COLUMNS = 16u; // and columns
const DEPTH = 16u; // of a tile along k

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

var<workgroup> a_tile: array<array<f32, DEPTH>, ROWS>;
var<workgroup> b_tile: array<array<f32, COLUMNS>, DEPTH>;

@compute @workgroup_size(COLUMNS, ROWS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.y * ROWS + local.y;
    let column = group.x * COLUMNS + local.x;
    var sum = 0.0;
    for (var start = 0u; start < dims.k; start += DEPTH) {
        a_tile[local.y][local.x] = a_at(row, start + local.x);
        b_tile[local.y][local.x] = b_at(start + local.y, column);
        workgroupBarrier(); // the tiles are complete
        for (var i = 0u; i < DEPTH; i++) {
            sum += a_tile[local.y][i] * b_tile[i][local.x];
        }
        workgroupBarrier(); // all invocations are done with them
    }
    if (row < dims.m && column < dims.n) {
        out[row * dims.n + column] = sum;
    }
}

fn a_at(row: u32, i: u32) -> f32 {
    if (row < dims.m && i < dims.k) {
        return a[row * dims.k + i];
    }
    return 0.0;
}

fn b_at(i: u32, column: u32) -> f32 {
    if (i < dims.k && column < dims.n) {
        return b[i * dims.n + column];
    }
    return 0.0;
}
