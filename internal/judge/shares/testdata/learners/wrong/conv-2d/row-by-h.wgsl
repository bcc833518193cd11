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
    let n = params.w * params.h;
    if (id.x < n && id.y < params.filters) {
        let r = id.x / params.h;
        let c = id.x % params.h;
        var sum = bias[id.y];
        for (var ch = 0u; ch < params.ch; ch++) {
            for (var t = 0u; t < 9u; t++) {
                let yy = r + t / 3u - 1u;
                let xx = c + t % 3u - 1u;
                if (yy < params.h && xx < params.w) {
                    sum += weights[(id.y * params.ch + ch) * 9u + t] * x[(ch * params.h + yy) * params.w + xx];
                }
            }
        }
        out[id.y * n + id.x] = sum;
    }
}
