// diagnosis: mixed
// title: The weight is a mixture of the old weight and the gradient.
// why: mix moves the weight towards the gradient. A gradient is a slope, not a destination.
// ask: With a rate of 1, where does the weight end up, and where should it?
// A bit of each.
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
    w[i] = mix(w[i], g[i], params.rate);
}
