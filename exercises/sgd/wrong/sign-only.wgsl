// diagnosis: only-the-sign
// title: All weights went the same distance.
// why: Only the sign of the gradient was used. Where the loss is steep, the step should be longer.
// ask: Which part of g[i] does sign throw away?
// The direction is what counts.
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
    w[i] -= params.rate * sign(g[i]);
}
