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

fn pixel(c: u32, row: i32, col: i32) -> f32 {
    if (row < 0 || col < 0 || row >= i32(params.h) || col >= i32(params.w)) {
        return 0.0;
    }
    return x[(c * params.h + u32(row)) * params.w + u32(col)];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = params.w * params.h;
    let filter_no = id.y;
    if (id.x >= size) { return; }
    if (filter_no >= params.filters) { return; }
    let row = i32(id.x / params.w);
    let col = i32(id.x % params.w);
    var acc = bias[filter_no];
    for (var c = 0u; c < params.ch; c++) {
        let first = (filter_no + c) * 9u;
        for (var dy = 0; dy < 3; dy++) {
            for (var dx = 0; dx < 3; dx++) {
                acc += pixel(c, row + dy - 1, col + dx - 1) * weights[first + u32(3 * dy + dx)];
            }
        }
    }
    out[filter_no * size + id.x] = acc;
}
