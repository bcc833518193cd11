// diagnosis: alpha-without-sign
// title: A negative alpha counted as a positive one.
// why: A scale has a size and a sign. With alpha = -2, twice x is taken away from y.
// ask: With alpha = -2, x = 3 and y = 10, what should y become?
// A scale is positive.
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
    if (i < params.n) {
        y[i] = abs(params.alpha) * x[i] + y[i];
    }
}
