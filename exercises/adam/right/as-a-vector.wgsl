// goals: coalesced
// Both averages at once, as a vector of two.
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

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let beta = vec2<f32>(params.beta1, params.beta2);
    let now = vec2<f32>(g[i], g[i] * g[i]);
    let past = vec2<f32>(mean[i], square[i]);
    let both = beta * past + (1.0 - beta) * now;
    mean[i] = both.x;
    square[i] = both.y;
    w[i] -= params.rate * both.x / (sqrt(both.y) + params.epsilon);
}
