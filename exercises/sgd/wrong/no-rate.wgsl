// diagnosis: no-rate
// title: The rate is missing.
// why: The whole gradient was subtracted. It is a slope, not a distance. A step of that length
//   usually goes too far.
// ask: Which number in params says how far to go?
// Weights minus gradients.
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    w[i] -= g[i];
}
