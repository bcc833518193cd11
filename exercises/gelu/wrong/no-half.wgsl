// diagnosis: no-half
// title: Everything is twice as large: the factor 0.5 is missing.
// why: 1 + tanh runs from 0 to 2. Half of it is a share from 0 to 1.
// ask: What does 1 + tanh become for a large x?
// x times 1 + tanh.
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
    out[id.x] = y * (1.0 + tanh(inner));
}
