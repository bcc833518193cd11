// adam: each weight takes a step downhill, of a length that suits it.
//
// Two running averages remember the past: mean of the gradient, square of its
// square. Each keeps a share (beta1, beta2) of what it was. The step is mean divided
// by the root of square: about rate where the gradient keeps its sign, and short
// where it jumps about, however large the gradient is. epsilon keeps the division
// finite. One invocation moves one weight.

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
    w[i] -= params.rate * mean[i] / (sqrt(square[i]) + params.epsilon);
}
