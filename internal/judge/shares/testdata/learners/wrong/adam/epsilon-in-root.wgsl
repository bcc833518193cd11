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
    if (id.x >= params.n) { return; }
    let grad = g[id.x];
    let m = mix(grad, mean[id.x], params.beta1);
    let s = mix(grad * grad, square[id.x], params.beta2);
    mean[id.x] = m;
    square[id.x] = s;
    w[id.x] = w[id.x] - params.rate * m / sqrt(s + params.epsilon);
}
