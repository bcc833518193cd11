// matmul: out = a * b, for a (m × k) and b (k × n), so that out is m × n.
//
// One invocation computes one element of out: the invocation at (column, row)
// walks along that row of a and down that column of b. Memory holds a matrix row
// by row, so element (row, column) of b is at row * n + column.

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let column = id.x;
    let row = id.y;
    if (column >= dims.n || row >= dims.m) {
        return;
    }
    var total = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        total += a[row * dims.k + i] * b[i * dims.n + column];
    }
    out[row * dims.n + column] = total;
}
