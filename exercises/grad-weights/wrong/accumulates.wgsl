// diagnosis: accumulated
// title: The result was added to the old contents of dw.
// why: `+=` reads the old value first, and dw still holds the gradient of the step before. The
//   check fills it with NaN or an old number on purpose.
// ask: Do you want to add to dw or replace its value?
// The gradient starts at zero, so it can be collected there.
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
    for (var s = 0u; s < dims.m; s++) {
        dw[row * dims.n + col] += x[s * dims.k + row] * d[s * dims.n + col];
    }
}
