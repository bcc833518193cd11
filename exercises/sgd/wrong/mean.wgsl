// diagnosis: divided-by-n
// title: The step was divided by the number of weights.
// why: n counts the weights. The mean over the samples is in the gradient already.
// ask: What does n count here?
// The mean over all of them.
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
    w[i] -= params.rate * g[i] / f32(params.n);
}
