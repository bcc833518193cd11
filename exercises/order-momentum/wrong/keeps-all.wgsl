// diagnosis: keeps-all
// title: v keeps all of itself, so it never slows down.
// why: Each step adds a gradient, and no share of the old velocity is lost.
// ask: Which line makes v smaller before the gradient comes in?
// The velocity is the sum of all gradients.
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
    v[i] += g[i];
    w[i] -= params.rate * v[i];
}
