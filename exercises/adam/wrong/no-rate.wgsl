// diagnosis: no-rate
// title: The rate is missing.
// why: mean divided by the root of square is about 1. Without the rate, that is the length of
//   each step.
// ask: Which member of params says how far to go?
// The division takes care of the length.
struct Params {
    n: u32,
    rate: f32,
    beta1: f32,
    beta2: f32,
    epsilon: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> mean: array<f32>;
@group(0) @binding(3) var<storage, read_write> square: array<f32>;
@group(0) @binding(4) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    mean[i] = params.beta1 * mean[i] + (1.0 - params.beta1) * g[i];
    square[i] = params.beta2 * square[i] + (1.0 - params.beta2) * g[i] * g[i];
    w[i] -= mean[i] / (sqrt(square[i]) + params.epsilon);
}
