// diagnosis: clamps-x
// title: x itself was clamped, not only the argument of tanh.
// why: gelu grows with x without end: gelu(12) is 12.
// ask: Which number does the clamp in your shader change, and which one should it change?
// Everything stays between -10 and 10.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    let y = clamp(x[id.x], -10.0, 10.0);
    let inner = 0.7978846 * (y + 0.044715 * y * y * y);
    out[id.x] = 0.5 * y * (1.0 + tanh(inner));
}
