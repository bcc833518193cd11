// goals: coalesced
// way: Each average moves a part of the way to the new value: that is the same formula, sorted
//   differently.
// Each average moves a part of the way to the new value.
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

fn pow2(x: f32) -> f32 {
    return x * x;
}

@compute @workgroup_size(32, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let slope = g[i];
    let m = mean[i] + (1.0 - params.beta1) * (slope - mean[i]);
    let v = square[i] + (1.0 - params.beta2) * (pow2(slope) - square[i]);
    let step = m / (params.epsilon + sqrt(v));
    w[i] = w[i] - step * params.rate;
    mean[i] = m;
    square[i] = v;
}
