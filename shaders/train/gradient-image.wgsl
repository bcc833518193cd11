// train/gradient-image: how the loss changes with each pixel that filters looked at.
//
// A pixel had a part in nine results of each filter: those up to one pixel around it.
// The result to its left used it with the weight to the right, so the filter is turned
// by half a turn. Added up over all filters, that is its gradient.
//
// An invocation makes one pixel of one image, in four channels: its pixel is id.x,
// counted through all images, and its channels begin at 4 * id.y. The number of
// channels is a multiple of 4.

struct Dims {
    images: u32,
    w: u32,
    h: u32,
    ch: u32,
    filters: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d_out: array<f32>; // images × filters × h × w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // filters × ch × 3 × 3
@group(0) @binding(3) var<storage, read_write> d_x: array<f32>; // images × ch × h × w

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pixels = dims.w * dims.h;
    let image = id.x / pixels;
    let c = 4u * id.y;
    if (image >= dims.images || c >= dims.ch) {
        return;
    }
    let at = id.x % pixels;
    let column = at % dims.w;
    let row = at / dims.w;
    var sum = vec4(0.0);
    for (var f = 0u; f < dims.filters; f++) {
        let plane = (image * dims.filters + f) * pixels;
        let first = (f * dims.ch + c) * 9u; // weight of the first of the four channels
        for (var tap = 0u; tap < 9u; tap++) {
            let y = row + 1u - tap / 3u; // above the picture it is very large
            let across = column + 1u - tap % 3u;
            if (y < dims.h && across < dims.w) {
                let w = first + tap;
                sum += d_out[plane + y * dims.w + across] * vec4(weights[w], weights[w + 9u], weights[w + 18u], weights[w + 27u]);
            }
        }
    }
    for (var j = 0u; j < 4u; j++) {
        d_x[(image * dims.ch + c + j) * pixels + at] = sum[j];
    }
}
