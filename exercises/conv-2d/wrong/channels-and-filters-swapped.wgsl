// diagnosis: filters-and-channels-swapped
// title: Your shader reads the weights as if channels came first.
// why: All weights of a filter are side by side: 9 for its first channel, 9 for its second, and so
//   on. After them comes the next filter.
// ask: With 3 channels, how far is it from the first weight of filter 0 to the first of filter 1?
// The channels come first.
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
    var sum = bias[f];
    for (var c = 0u; c < params.ch; c++) {
        for (var dy = 0; dy < 3; dy++) {
            for (var dx = 0; dx < 3; dx++) {
                let weight = weights[9 * i32(c * params.filters + f) + 3 * dy + dx];
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
