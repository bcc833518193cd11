// diagnosis: flat-index
// title: Only the first elements were written.
// why: You use id.x as the number of the element. But the host dispatches in two dimensions: x
//   covers the columns and y the rows. So id.x goes only as far as the columns need.
// ask: Which row and which column belong to the invocation with id = (3, 2)?
// id.x numbers all elements, as in vector-add.
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

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x / dims.n;
    let col = id.x % dims.n;
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += x[row * dims.k + i] * w[i * dims.n + col];
    }
    out[row * dims.n + col] = sum + bias[col];
}
