// diagnosis: gradient-minus-weight
// title: Weight and gradient are swapped.
// why: The step is rate times the gradient, and it is the weight that moves.
// ask: With a rate of 0, what should be left in w?
// The difference of the two.
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
    w[i] = g[i] - params.rate * w[i];
}
