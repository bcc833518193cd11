// diagnosis: square-of-mean
// title: square follows the square of mean, not of the gradient.
// why: Gradients that jump about average to nearly 0, but their squares do not. It is this
//   difference that makes the step short.
// ask: For the gradients 5 and -5, what is the mean of their squares, and the square of their mean?
// The square of the average.
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
    square[i] = params.beta2 * square[i] + (1.0 - params.beta2) * mean[i] * mean[i];
    w[i] -= params.rate * mean[i] / (sqrt(square[i]) + params.epsilon);
}
