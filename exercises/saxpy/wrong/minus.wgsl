// diagnosis: subtract
// title: The result is alpha * x - y.
// why: The old value of y was subtracted instead of added.
// ask: Which operator is between the two?
// A slip of the finger.
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
        y[i] = params.alpha * x[i] - y[i];
    }
}
