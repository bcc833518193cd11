// adam: mean and square follow g and g², and the first n weights step by rate · mean / (√square + epsilon)
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
    if (i < params.n) {
        let m = mean[i];
        let grad = g[i];
        mean[i] = params.beta1 * m + (1.0 - params.beta1) * grad;
        square[i] = params.beta2 * square[i] + (1.0 - params.beta2) * grad * grad;
        w[i] -= params.rate * m / (sqrt(square[i]) + params.epsilon);
    }
}
