// conv-2d: filters of 3 × 3 slide over a picture.
//
// x holds ch pictures of the same size, its channels, one after the other. A filter
// has 9 weights for each channel. At each pixel it multiplies the 3 × 3 pixels around
// it, in every channel, by its weights, and adds everything and its bias up. So a
// filter makes one new picture. filters of them make out, whose pictures are the
// channels of the next layer.
//
// The same few weights are used at every pixel: what a filter finds, it finds
// everywhere. Pixels outside of the picture count as 0, so out is as large as x.
//
// One invocation computes one number: id.x is its pixel, id.y its filter. Neighbours
// read neighbouring pixels, and the same weights.

struct Params {
    w: u32,
    h: u32,
    ch: u32,
    filters: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch × h × w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // filters × ch × 3 × 3
@group(0) @binding(3) var<storage, read> bias: array<f32>; // filters
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // filters × h × w

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pixels = params.w * params.h;
    let filter_number = id.y;
    if (id.x >= pixels || filter_number >= params.filters) {
        return;
    }
    let column = i32(id.x % params.w);
    let row = i32(id.x / params.w);
    var sum = bias[filter_number];
    for (var c = 0u; c < params.ch; c++) {
        let first = (filter_number * params.ch + c) * 9u; // of the channel's 9 weights
        for (var i = 0u; i < 9u; i++) {
            sum += weights[first + i] * pixel(c, row + i32(i / 3u) - 1, column + i32(i % 3u) - 1);
        }
    }
    out[filter_number * pixels + id.x] = sum;
}

// pixel returns a pixel of channel c, and 0 outside of the picture.
fn pixel(c: u32, row: i32, column: i32) -> f32 {
    if (row < 0 || column < 0 || row >= i32(params.h) || column >= i32(params.w)) {
        return 0.0;
    }
    return x[(c * params.h + u32(row)) * params.w + u32(column)];
}
