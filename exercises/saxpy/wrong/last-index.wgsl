// diagnosis: wraps-below-zero
// title: With n = 0, all elements changed.
// why: n is a u32, and a u32 is never below 0: 0 - 1 becomes 4294967295. Every index is at most that.
// ask: What does your guard compare i with when n is 0?
// The last index is n - 1.
struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i <= params.n - 1u) {
        y[i] = params.alpha * x[i] + y[i];
    }
}
