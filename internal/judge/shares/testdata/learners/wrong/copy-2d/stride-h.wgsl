// copy-2d: out is x, a picture of h rows of w numbers
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.w) { return; }
    if (id.y >= params.h) { return; }
    let place = id.y * params.h + id.x;
    out[place] = x[place];
}
