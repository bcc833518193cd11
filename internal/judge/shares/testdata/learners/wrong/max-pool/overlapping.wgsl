// max-pool: each number of out is the largest of 2 × 2 numbers of x; id.x is a place in out, id.y a channel
struct Params {
    w: u32,
    h: u32,
    ch: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // ch pictures, each h / 2 rows of w / 2

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let ow = params.w / 2u;
    let oh = params.h / 2u;
    let ch = id.y;
    if (ch >= params.ch) { return; }
    if (id.x >= ow * oh) { return; }
    let first_row = id.x / ow;
    let first_col = id.x % ow;
    let base = ch * params.h * params.w;
    var m = -3.4028234e38;
    for (var i = 0u; i < 4u; i++) {
        m = max(m, x[base + (first_row + i / 2u) * params.w + first_col + i % 2u]);
    }
    out[ch * ow * oh + id.x] = m;
}
