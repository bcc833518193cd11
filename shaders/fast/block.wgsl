// fast/block: tiles, and 4 × 4 elements per invocation.
//
// In fast/tiled every product needs two reads from workgroup memory, which is close,
// but not free. So here each invocation keeps 4 numbers of a and 4 of b in registers,
// as in fast/registers, and makes 16 products from 8 reads. The 256 invocations of a
// workgroup make a block of 64 × 64.
//
// An invocation's columns are 16 apart, so that neighbours still touch neighbouring
// numbers.

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
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

var<workgroup> a_tile: array<array<f32, DEPTH>, ROWS>;
var<workgroup> b_tile: array<array<f32, COLUMNS>, DEPTH>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let first_row = group.y * ROWS;
    let first_column = group.x * COLUMNS;
    let x = local.x;
    let row = 4u * local.y; // the first of its 4 rows in the block
    var sum0 = vec4(0.0); // one sum per row, each with 4 columns
    var sum1 = vec4(0.0);
    var sum2 = vec4(0.0);
    var sum3 = vec4(0.0);
    for (var start = 0u; start < dims.k; start += DEPTH) {
        for (var j = 0u; j < 4u; j++) { // 4 numbers of each tile
            a_tile[local.y + SIDE * j][x] = a_at(first_row + local.y + SIDE * j, start + x);
            b_tile[local.y][x + SIDE * j] = b_at(start + local.y, first_column + x + SIDE * j);
        }
        workgroupBarrier(); // the tiles are complete
        for (var i = 0u; i < DEPTH; i++) {
            let b4 = vec4(b_tile[i][x], b_tile[i][x + SIDE], b_tile[i][x + 2u * SIDE], b_tile[i][x + 3u * SIDE]);
            sum0 += a_tile[row][i] * b4;
            sum1 += a_tile[row + 1u][i] * b4;
            sum2 += a_tile[row + 2u][i] * b4;
            sum3 += a_tile[row + 3u][i] * b4;
        }
        workgroupBarrier(); // all invocations are done with them
    }
    store(first_row + row, first_column + x, sum0);
    store(first_row + row + 1u, first_column + x, sum1);
    store(first_row + row + 2u, first_column + x, sum2);
    store(first_row + row + 3u, first_column + x, sum3);
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

fn store(row: u32, column: u32, values: vec4<f32>) {
    for (var j = 0u; j < 4u; j++) {
        if (row < dims.m && column + SIDE * j < dims.n) {
            out[row * dims.n + column + SIDE * j] = values[j];
        }
    }
}
