// diagnosis: only-first-term
// title: Only the first sample reached dw.
// why: Each weight is used in all samples of the batch, and each sample adds to its gradient.
// ask: How many products does one element of dw need?
// One sample is enough for a direction.
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
    dw[row * dims.n + col] = x[row] * d[col];
}
