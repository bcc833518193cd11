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
    let f = id.y;
    let pixels = params.w * params.h;
    if (id.x >= pixels || f >= params.filters) { return; }
    let row = i32(id.x / params.w);
    let col = i32(id.x % params.w);
    var sum = bias[f];
    for (var c = 0u; c < params.ch; c++) {
        for (var dy = 0; dy < 3; dy++) {
            for (var dx = 0; dx < 3; dx++) {
                let y = row + dy - 1;
                let at = y * i32(params.w) + col + dx - 1;
                if (y >= 0 && y < i32(params.h) && at >= 0 && at < i32(pixels)) {
                    sum += x[i32(c * pixels) + at] * weights[i32((f * params.ch + c) * 9u) + dy * 3 + dx];
                }
            }
        }
    }
    out[f * pixels + id.x] = sum;
}
