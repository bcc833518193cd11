// diagnosis: only-first-term
// title: Only the first of the k products reached the output.
// why: Each element is a sum over a whole row and a whole column, but you used only their first
//   elements. Either there is no loop, or it ends after its first step.
// ask: How many products does one element of the output need?
// One element of each matrix makes one element of the output.
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
    let row = id.y;
    let col = id.x;
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    let sum = bias[col] + x[row * dims.k] * w[col];
    out[row * dims.n + col] = sum;
}
