// goals: coalesced
// Two guards, and names for row and column.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let column = id.x;
    let row = id.y;
    if (column >= params.w) {
        return;
    }
    if (row >= params.h) {
        return;
    }
    let i = row * params.w + column;
    out[i] = x[i];
}
