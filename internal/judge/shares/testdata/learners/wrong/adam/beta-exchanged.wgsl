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

fn follow(old: f32, new_value: f32, keep: f32) -> f32 {
    return keep * old + (1.0 - keep) * new_value;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = id.x;
    if (k >= params.n) { return; }
    mean[k] = follow(g[k], mean[k], params.beta1);
    square[k] = follow(square[k], g[k] * g[k], params.beta1);
    w[k] -= params.rate * mean[k] / (sqrt(square[k]) + params.epsilon);
}
