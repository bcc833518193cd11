// diagnosis: divides-by-alpha
// title: With alpha = 0, the first n elements are not numbers.
// why: Your formula divides by alpha. On paper that is the same, but not for alpha = 0: then y / alpha
//   is infinite, and 0 times infinity is NaN.
// ask: With alpha = 0, what should y become?
// alpha * x + y is alpha * (x + y / alpha).
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
        y[i] = params.alpha * (x[i] + y[i] / params.alpha);
    }
}
