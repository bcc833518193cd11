// diagnosis: no-cube
// title: The cube is missing in the argument of tanh.
// why: The term 0.044715 · x³ brings the result nearer to the true share.
// ask: What is the argument of tanh for x = 2?
// The first term is enough.
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
    let inner = 0.7978846 * y;
    out[id.x] = 0.5 * y * (1.0 + tanh(inner));
}
