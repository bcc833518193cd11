// diagnosis: edge-not-zero
// title: Elements outside the matrices were added to the sums.
// why: The last tile sticks out past the end of the row of a and of the column of b. There the next
//   row of a begins, and the memory after b isn't yours.
// ask: With k = 33 and tiles of 16, what should the second column of the last tile hold?
// Reads out of bounds give 0.
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
    let row = id.y;
    let col = id.x;
    var sum = 0.0;
    for (var start = 0u; start < dims.k; start += TILE) {
        a_tile[local.y][local.x] = a[row * dims.k + start + local.x];
        b_tile[local.y][local.x] = b[(start + local.y) * dims.n + col];
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += a_tile[local.y][i] * b_tile[i][local.x];
        }
        workgroupBarrier();
    }
    if (row < dims.m && col < dims.n) {
        out[row * dims.n + col] = sum;
    }
}
