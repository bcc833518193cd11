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
    let hw = params.w * params.h;
    if (id.x >= hw || id.y >= params.filters) { return; }
    let p = vec2<i32>(i32(id.x % params.w), i32(id.x / params.w));
    let limit = vec2<i32>(i32(params.w), i32(params.h));
    var s = bias[id.y];
    for (var c = 0u; c < params.ch; c++) {
        for (var dy = -1; dy <= 1; dy++) {
            for (var dx = -1; dx <= 1; dx++) {
                let q = p + vec2(dx, dy);
                if (all(q >= vec2(0)) && all(q < limit)) {
                    let wi = ((id.y * params.ch + c) * 3u + u32(dx + 1)) * 3u + u32(dy + 1);
                    s += weights[wi] * x[c * hw + u32(q.y) * params.w + u32(q.x)];
                }
            }
        }
    }
    out[id.y * hw + id.x] = s;
}
