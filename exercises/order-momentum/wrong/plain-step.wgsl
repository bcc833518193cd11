// diagnosis: plain-step
// title: The weights took the plain step, without the velocity.
// why: v was updated, but the weights followed the gradient of this step alone.
// ask: Which of the two lines that move a weight knows about the steps before?
// A step goes against the gradient.
struct Params {
    n: u32,
    rate: f32,
    keep: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    v[i] *= params.keep;
    v[i] += g[i];
    w[i] -= params.rate * g[i];
}
