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
        let b1 = params.beta1;
        let b2 = params.beta2;
        let grad = g[i];
        let m = b1 * mean[i] + (1.0 - b1) * grad;
        let v = b2 * square[i] + (1.0 - b2) * abs(grad);
        mean[i] = m;
        square[i] = v;
        w[i] -= params.rate * m / (sqrt(v) + params.epsilon);
    }
}
