// fast/vec4: four numbers at a time.
//
// As fast/block, but the buffers and the tiles hold vec4s. One instruction fetches
// 16 bytes instead of 4, so a quarter of the fetches is enough, and a quarter of the
// index computations.
//
// The rows of a and b must begin at the start of a vec4: k and n are multiples of 4.

const ROWS = 64u; // rows of out per workgroup
const COLUMNS = 64u; // and columns
const DEPTH = 16u; // of a tile along k
const SIDE = 16u; // invocations in x and in y

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>; // m × k
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<vec4<f32>>; // m × n

var<workgroup> a_tile: array<array<vec4<f32>, 4>, ROWS>; // 4 numbers along k
var<workgroup> b_tile: array<array<vec4<f32>, SIDE>, DEPTH>; // 4 columns

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) id: u32) {
    let first_row = group.y * ROWS;
    let quad = group.x * SIDE + local.x; // its 4 columns are quad * 4 to quad * 4 + 3
    let row = 4u * local.y; // the first of its 4 rows in the block
    var sum0 = vec4(0.0); // one sum per row, each with 4 columns
    var sum1 = vec4(0.0);
    var sum2 = vec4(0.0);
    var sum3 = vec4(0.0);
    for (var start = 0u; start < dims.k; start += DEPTH) {
        a_tile[id / 4u][id % 4u] = a_at(first_row + id / 4u, start / 4u + id % 4u);
        b_tile[local.y][local.x] = b_at(start + local.y, quad);
        workgroupBarrier(); // the tiles are complete
        for (var i = 0u; i < DEPTH / 4u; i++) {
            let b0 = b_tile[4u * i][local.x];
            let b1 = b_tile[4u * i + 1u][local.x];
            let b2 = b_tile[4u * i + 2u][local.x];
            let b3 = b_tile[4u * i + 3u][local.x];
            let a0 = a_tile[row][i];
            let a1 = a_tile[row + 1u][i];
            let a2 = a_tile[row + 2u][i];
            let a3 = a_tile[row + 3u][i];
            sum0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
            sum1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
            sum2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
            sum3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
        }
        workgroupBarrier(); // all invocations are done with them
    }
    store(first_row + row, quad, sum0);
    store(first_row + row + 1u, quad, sum1);
    store(first_row + row + 2u, quad, sum2);
    store(first_row + row + 3u, quad, sum3);
}

fn a_at(row: u32, quad: u32) -> vec4<f32> {
    if (row < dims.m && quad < dims.k / 4u) {
        return a[row * (dims.k / 4u) + quad];
    }
    return vec4(0.0);
}

fn b_at(i: u32, quad: u32) -> vec4<f32> {
    if (i < dims.k && quad < dims.n / 4u) {
        return b[i * (dims.n / 4u) + quad];
    }
    return vec4(0.0);
}

fn store(row: u32, quad: u32, values: vec4<f32>) {
    if (row < dims.m && quad < dims.n / 4u) {
        out[row * (dims.n / 4u) + quad] = values;
    }
}
