// diagnosis: first-row-only
// title: Only the first row of the output was written.
// why: The row is 0 in all invocations. Each column has invocations of its own, and so does each
//   row: id also has a y.
// ask: Where does your row come from?
// One invocation per column is enough.
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
    let row = 0u;
    let col = id.x;
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += x[row * dims.k + i] * w[i * dims.n + col];
    }
    out[row * dims.n + col] = sum + bias[col];
}
