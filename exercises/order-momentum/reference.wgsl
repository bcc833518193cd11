// order-momentum: each of the first n weights has a velocity v, and a step follows v.
//
// A share of the velocity, keep, is left from the step before, and the gradient of this
// step is added to it. So v grows where the gradients agree, and stays small where they
// change their sign from step to step. One invocation moves one weight.

struct Params {
    n: u32,
    rate: f32,
    keep: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    v[i] *= params.keep;
    v[i] += g[i];
    w[i] -= params.rate * v[i];
}
