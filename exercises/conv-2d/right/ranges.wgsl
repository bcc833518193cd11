// goals: coalesced; writes each result once
// way: The loops run over the rows and columns that exist.
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
    if (id.x >= params.w * params.h || id.y >= params.filters) {
        return;
    }
    let col = id.x % params.w;
    let row = id.x / params.w;
    var sum = bias[id.y];
    for (var y = max(row, 1u) - 1u; y <= min(row + 1u, params.h - 1u); y++) {
        for (var xx = max(col, 1u) - 1u; xx <= min(col + 1u, params.w - 1u); xx++) {
            let tap = (y + 1u - row) * 3u + (xx + 1u - col);
            for (var c = 0u; c < params.ch; c++) {
                sum += weights[(id.y * params.ch + c) * 9u + tap] * x[(c * params.h + y) * params.w + xx];
            }
        }
    }
    out[id.y * params.w * params.h + id.x] = sum;
}
