// diagnosis: sums
// title: The averages grow like sums.
// why: An average of two numbers has shares that add up to 1. The new gradient came in with its
//   whole size.
// ask: If the gradient is always 3, where should mean end up?
// The past is added up.
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
    mean[i] = params.beta1 * mean[i] + g[i];
    square[i] = params.beta2 * square[i] + g[i] * g[i];
    w[i] -= params.rate * mean[i] / (sqrt(square[i]) + params.epsilon);
}
