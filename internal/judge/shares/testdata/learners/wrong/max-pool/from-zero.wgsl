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
    let w2 = params.w / 2u;
    let h2 = params.h / 2u;
    if (id.x >= w2 * h2 || id.y >= params.ch) { return; }
    let r = id.x / w2;
    let c = id.x % w2;
    var best = 0.0;
    for (var dy = 0u; dy < 2u; dy++) {
        for (var dx = 0u; dx < 2u; dx++) {
            best = max(best, x[(id.y * params.h + 2u * r + dy) * params.w + 2u * c + dx]);
        }
    }
    out[id.y * w2 * h2 + id.x] = best;
}
