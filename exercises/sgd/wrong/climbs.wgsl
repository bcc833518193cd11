// diagnosis: wrong-sign
// title: The weights went uphill.
// why: The gradient points to where the loss grows. Adding it makes the loss larger.
// ask: If a gradient is positive, should its weight grow or shrink?
// The gradient says where to go.
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    w[i] += params.rate * g[i];
}
