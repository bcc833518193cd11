// conv-2d: each filter looks at 3 × 3 pixels in all channels; id.x is a pixel, id.y a filter
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
    if (id.x >= size || id.y >= params.filters) { return; }
    let row = id.x / params.w;
    let col = id.x % params.w;
    var sum = 0.0;
    for (var dy = 0u; dy < 3u; dy++) {
        let y = row + dy - 1u;
        if (y >= params.h) { continue; }
        for (var dx = 0u; dx < 3u; dx++) {
            let xx = col + dx - 1u;
            if (xx >= params.w) { continue; }
            for (var c = params.ch; c > 0u; c--) {
                sum += x[((c - 1u) * params.h + y) * params.w + xx]
                    * weights[((id.y * params.ch + c - 1u) * 3u + dy) * 3u + dx];
            }
        }
    }
    out[id.y * size + id.x] = sum + bias[id.y];
}
