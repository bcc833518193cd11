// diagnosis: every-element
// title: The values are right, but each invocation computes every element.
// why: A GPU is fast because each of thousands of invocations does one small piece.
// ask: Which element is yours, and which invocations compute the others?
// A loop over all.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = 0u; i < params.n; i++) {
        let y = x[i];
        out[i] = 0.5 * y * (1.0 + tanh(0.7978846 * (y + 0.044715 * y * y * y)));
    }
}
