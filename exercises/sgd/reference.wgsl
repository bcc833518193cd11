// sgd: each weight takes a step downhill.
//
// The gradient says how fast the loss grows with each weight. So each weight moves
// the other way, by rate times its gradient. One invocation moves one weight.

struct Params {
    n: u32,
    rate: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    w[i] -= params.rate * g[i];
}
