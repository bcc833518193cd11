// goals: coalesced; writes each result once
// way: The guard for the edge is in the loops, and a row outside is skipped as a whole.
struct Params {
    w: u32,
    h: u32,
    ch: u32,
    filters: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // filters × ch × 3 × 3
@group(0) @binding(3) var<storage, read> bias: array<f32>; // one for each filter
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // a picture for each filter

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = params.w * params.h;
    if (id.x >= size || id.y >= params.filters) {
        return;
    }
    let col = id.x % params.w;
    let row = id.x / params.w;
    var sum = 0.0;
    for (var dy = 0u; dy < 3u; dy++) {
        let y = row + dy - 1u; // above the picture it is very large
        if (y >= params.h) {
            continue;
        }
        for (var dx = 0u; dx < 3u; dx++) {
            let at = col + dx - 1u;
            if (at >= params.w) {
                continue;
            }
            for (var c = 0u; c < params.ch; c++) {
                sum += x[c * size + y * params.w + at] * weights[(id.y * params.ch + c) * 9u + dy * 3u + dx];
            }
        }
    }
    out[id.y * size + id.x] = sum + bias[id.y];
}
