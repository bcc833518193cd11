// diagnosis: quick-gelu
// title: The output is the shortcut with 1.702.
// why: x / (1 + exp(-1.702 x)) comes near gelu, but is off by about 0.02. A network trained with
//   one of them reads worse with the other.
// ask: Which formula does the task give?
// It is the usual shortcut.
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
    out[id.x] = y / (1.0 + exp(-1.702 * y));
}
