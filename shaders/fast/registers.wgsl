// fast/registers: each invocation makes 4 × 4 elements.
//
// In fast/coalesced every product needs two numbers from memory. Here an invocation
// keeps 4 numbers of a and 4 of b in variables, and makes 16 products from 8 fetches.
// The variables stay in registers, the fastest memory, as long as there are enough.
//
// An invocation's columns are WIDTH apart, so that neighbours still fetch neighbouring
// numbers. Rows and columns past the end repeat the last one, and are not stored.

const ROWS = 4u; // rows of out per workgroup
const COLUMNS = 128u; // and columns
const WIDTH = 32u; // invocations

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(WIDTH)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let rows = ROWS * group.y + vec4(0u, 1u, 2u, 3u);
    let columns = COLUMNS * group.x + local.x + WIDTH * vec4(0u, 1u, 2u, 3u);
    let row = min(rows, vec4(dims.m - 1u)) * dims.k;
    let column = min(columns, vec4(dims.n - 1u));
    var sum0 = vec4(0.0); // one sum per row, each with 4 columns
    var sum1 = vec4(0.0);
    var sum2 = vec4(0.0);
    var sum3 = vec4(0.0);
    for (var i = 0u; i < dims.k; i++) {
        let at = i * dims.n + column;
        let b4 = vec4(b[at.x], b[at.y], b[at.z], b[at.w]);
        sum0 += a[row.x + i] * b4;
        sum1 += a[row.y + i] * b4;
        sum2 += a[row.z + i] * b4;
        sum3 += a[row.w + i] * b4;
    }
    store(rows.x, columns, sum0);
    store(rows.y, columns, sum1);
    store(rows.z, columns, sum2);
    store(rows.w, columns, sum3);
}

fn store(row: u32, columns: vec4<u32>, values: vec4<f32>) {
    for (var j = 0u; j < 4u; j++) {
        if (row < dims.m && columns[j] < dims.n) {
            out[row * dims.n + columns[j]] = values[j];
        }
    }
}
