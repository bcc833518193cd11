// train/conv: conv-2d for a batch of images, four filters at a time.
//
// x holds the images one after the other, each with its channels. An invocation makes
// one pixel of one image, for four filters: each number that it fetches is used four
// times. Its pixel is id.x, counted through all images, and its filters begin at
// 4 * id.y. The number of filters is a multiple of 4.

struct Dims {
    images: u32,
    w: u32,
    h: u32,
    ch: u32,
    filters: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // images × ch × h × w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // filters × ch × 3 × 3
@group(0) @binding(3) var<storage, read> bias: array<f32>; // filters
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // images × filters × h × w

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pixels = dims.w * dims.h;
    let image = id.x / pixels;
    let f = 4u * id.y;
    if (image >= dims.images || f >= dims.filters) {
        return;
    }
    let at = id.x % pixels;
    let column = at % dims.w;
    let row = at / dims.w;
    let each = 9u * dims.ch; // weights of a filter
    var sum = vec4(bias[f], bias[f + 1u], bias[f + 2u], bias[f + 3u]);
    for (var c = 0u; c < dims.ch; c++) {
        let plane = (image * dims.ch + c) * pixels;
        for (var i = 0u; i < 9u; i++) {
            let y = row + i / 3u - 1u; // above the picture it is very large
            let across = column + i % 3u - 1u;
            if (y < dims.h && across < dims.w) {
                let w = f * each + 9u * c + i;
                sum += x[plane + y * dims.w + across] * vec4(weights[w], weights[w + each], weights[w + 2u * each], weights[w + 3u * each]);
            }
        }
    }
    for (var j = 0u; j < 4u; j++) {
        out[(image * dims.filters + f + j) * pixels + at] = sum[j];
    }
}
