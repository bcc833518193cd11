// goals: coalesced
// way: A workgroup is one strip of 64 columns, so more neighbours are in one row.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.w && id.y < params.h) {
        let i = id.y * params.w + id.x;
        out[i] = x[i];
    }
}
