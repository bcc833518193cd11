// diagnosis: first-gradient
// title: All weights took the step of the first one.
// why: Each weight has a gradient of its own. The index of g is the same in all invocations.
// ask: Which element of g belongs to w[i]?
// The gradient is one number.
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
    w[i] -= params.rate * g[0];
}
