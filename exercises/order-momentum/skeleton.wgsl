// order-momentum: v keeps a share of itself and takes the gradient g; the first n weights step by rate · v
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
    // Your lines go here: move them up, out of the comment. Two of them stay in it.

    /*
    w[i] -= params.rate * v[i];
    }
    if (i >= arrayLength(&w)) {
    v[i] += g[i];
    return;
    w[i] -= params.rate * g[i];
    let i = id.x;
    if (i >= params.n) {
    v[i] *= params.keep;
    */
}
