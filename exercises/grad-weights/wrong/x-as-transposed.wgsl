// diagnosis: wrong-stride
// title: x was read as if it were already stored transposed, with m elements to a row.
// why: x is in memory as the forward pass used it: m rows of k elements. Nothing has moved its
//   elements.
// ask: How many elements of x are between an input of one sample and the same input of the next?
// x is transposed, so its rows have m elements.
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
    let row = id.y;
    let col = id.x;
    if (row >= dims.k || col >= dims.n) {
        return;
    }
    var total = 0.0;
    for (var s = 0u; s < dims.m; s++) {
        total += x[row * dims.m + s] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = total;
}
