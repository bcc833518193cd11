// goals: coalesced
// way: An `if` in place of max.
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
    let w = params.w / 2u;
    let h = params.h / 2u;
    if (id.x >= w * h || id.y >= params.ch) {
        return;
    }
    let start = id.y * params.w * params.h + id.x / w * 2u * params.w + id.x % w * 2u;
    var best = x[start];
    for (var i = 1u; i < 4u; i++) {
        let value = x[start + i % 2u + i / 2u * params.w];
        if (value > best) {
            best = value;
        }
    }
    out[id.y * w * h + id.x] = best;
}
