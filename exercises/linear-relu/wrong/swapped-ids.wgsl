// diagnosis: swapped-ids
// title: Your shader takes x for the row and y for the column.
// why: The host covers the columns with x and the rows with y. If the matrix is tall
//   or wide and needs several workgroups, some of its elements stay unwritten.
// ask: For a matrix with 1 row and 65 columns, are there more invocations in x or in y?
// The row comes first, so it is x.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    let col = id.y;
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    var sum = bias[col];
    for (var i = 0u; i < dims.k; i++) {
        sum += x[row * dims.k + i] * w[i * dims.n + col];
    }
    out[row * dims.n + col] = max(sum, 0.0);
}
