// goals: coalesced
// way: mix(a, b, t) is a · (1 - t) + b · t: exactly a running average.
// mix for both averages, and variables for the new ones.
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

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.n) {
        let i = id.x;
        let average = mix(g[i], mean[i], params.beta1);
        let average_square = mix(g[i] * g[i], square[i], params.beta2);
        mean[i] = average;
        square[i] = average_square;
        w[i] -= params.rate * average / (sqrt(average_square) + params.epsilon);
    }
}
