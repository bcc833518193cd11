// diagnosis: replaced-by-product
// title: The weights were replaced by rate times the gradient.
// why: What the network had learned so far is in the old weight, and your shader threw it away.
// ask: Where does the step begin, and in which direction does it go?
// The new weight.
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
    w[i] = params.rate * g[i];
}
