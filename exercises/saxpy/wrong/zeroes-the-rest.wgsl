// diagnosis: zeroes-the-rest
// title: The first n elements are right, and your shader set the others to 0.
// why: An element that is not written keeps its value. Your shader writes a 0 there instead, so the old
//   value is lost.
// ask: What has to happen to y[i] for an i that isn't among the first n?
// Every invocation has to write something.
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
        y[i] = params.alpha * x[i] + y[i];
    } else {
        y[i] = 0.0;
    }
}
