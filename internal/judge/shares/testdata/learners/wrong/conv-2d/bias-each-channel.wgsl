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
    let area = params.h * params.w;
    if (id.x < area && id.y < params.filters) {
        let row = id.x / params.w;
        let col = id.x - row * params.w;
        var sum = 0.0;
        for (var c = 0u; c < params.ch; c++) {
            sum += bias[id.y];
            for (var ky = 0u; ky < 3u; ky++) {
                for (var kx = 0u; kx < 3u; kx++) {
                    let sy = row + ky;
                    let sx = col + kx;
                    if (sy >= 1u && sy <= params.h && sx >= 1u && sx <= params.w) {
                        sum += x[(c * params.h + sy - 1u) * params.w + sx - 1u]
                            * weights[((id.y * params.ch + c) * 3u + ky) * 3u + kx];
                    }
                }
            }
        }
        out[id.y * area + id.x] = sum;
    }
}
