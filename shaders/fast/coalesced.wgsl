// fast/coalesced: as fast/naive, but neighbours work on neighbouring columns.
//
// Only x and y have changed places. Now neighbours need the same number of a, which
// the GPU fetches once for all of them. Their numbers of b are next to each other, so
// they share lines of memory. Sharing lines like this is called coalescing.

const ROWS = 16u; // rows of out per workgroup
const COLUMNS = 16u; // and columns

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(COLUMNS, ROWS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.y * ROWS + local.y;
    let column = group.x * COLUMNS + local.x; // neighbours differ in x
    if (row >= dims.m || column >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[row * dims.k + i] * b[i * dims.n + column];
    }
    out[row * dims.n + column] = sum;
}
