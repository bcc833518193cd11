// diagnosis: no-one
// title: The 1 is missing beside tanh.
// why: tanh runs from -1 to 1. With the 1 it runs from 0 to 2, so the result for negative numbers
//   is nearly 0.
// ask: What should the result be for x = -3?
// Half of tanh.
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
    let y = x[id.x];
    let inner = 0.7978846 * (y + 0.044715 * y * y * y);
    out[id.x] = 0.5 * y * tanh(inner);
}
