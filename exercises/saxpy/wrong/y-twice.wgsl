// diagnosis: y-twice
// title: The result is alpha * x + 2 * y.
// why: `+=` adds to the old value of y. With the y on the right, it counts twice.
// ask: How many times does the old y count in your sum?
// The formula says y = alpha x + y, and += is how one updates.
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
        y[i] += params.alpha * x[i] + y[i];
    }
}
