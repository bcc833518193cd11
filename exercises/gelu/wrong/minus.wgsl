// diagnosis: mirrored
// title: Large numbers become 0, and very negative ones get through.
// why: Your function is mirrored: it uses the share above x.
// ask: Which sign is before tanh?
// One minus.
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
    out[id.x] = 0.5 * y * (1.0 - tanh(inner));
}
