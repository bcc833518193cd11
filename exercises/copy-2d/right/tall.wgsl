// goals: none
// way: Each workgroup is 4 columns wide and 64 rows tall: right, but neighbours are in eight rows.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(4, 64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.w || id.y >= params.h) {
        return;
    }
    out[id.y * params.w + id.x] = x[id.y * params.w + id.x];
}
