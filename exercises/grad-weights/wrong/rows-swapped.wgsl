// diagnosis: swapped-ids
// title: Your shader takes x for the row and y for the column.
// why: The host covers the n columns with x and the k rows with y. So the invocations cover another
//   rectangle, and parts of dw have no invocation.
// ask: With 1 input and 65 outputs, how large does id.x get?
// x comes first, and so does the row.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    let col = id.y;
    if (row >= dims.k || col >= dims.n) {
        return;
    }
    var total = 0.0;
    for (var s = 0u; s < dims.m; s++) {
        total += x[s * dims.k + row] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = total;
}
