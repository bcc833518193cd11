// diagnosis: same-bias
// title: All filters get the first bias.
// why: There is a bias for each filter.
// ask: How many numbers does the buffer of biases hold?
// There is a bias.
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
    if (id.x >= params.w * params.h || f >= params.filters) {
        return;
    }
    let col = i32(id.x % params.w);
    let row = i32(id.x / params.w);
    var sum = bias[0];
    for (var c = 0u; c < params.ch; c++) {
        for (var dy = 0; dy < 3; dy++) {
            for (var dx = 0; dx < 3; dx++) {
                let weight = weights[9 * i32(f * params.ch + c) + 3 * dy + dx];
                sum += weight * pixel(c, row + dy - 1, col + dx - 1);
            }
        }
    }
    out[f * params.w * params.h + id.x] = sum;
}

fn pixel(c: u32, row: i32, col: i32) -> f32 {
    if (row < 0 || row >= i32(params.h) || col < 0 || col >= i32(params.w)) {
        return 0.0;
    }
    return x[(c * params.h + u32(row)) * params.w + u32(col)];
}
