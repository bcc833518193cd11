// train/gradient-kernels: how the loss changes with the weights and the bias of filters.
//
// A weight of a filter met every pixel of its channel, in every image: it multiplied
// the pixel that is up to one to the side of the result. So its gradient is a sum over
// all images and pixels, of that pixel times d of the result. The bias counts once for
// each result.
//
// One workgroup makes the 9 weights of one filter and one channel: group.x is the
// channel, group.y the filter. Its invocations share the pixels, and a tree adds their
// sums. The workgroups of channel 0 make the biases as well.

const SIZE = 256u;
const SUMS = 10u; // 9 weights and the bias

struct Dims {
    images: u32,
    w: u32,
    h: u32,
    ch: u32,
    filters: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // images × ch × h × w
@group(0) @binding(2) var<storage, read> d_out: array<f32>; // images × filters × h × w
@group(0) @binding(3) var<storage, read_write> d_weights: array<f32>; // filters × ch × 3 × 3
@group(0) @binding(4) var<storage, read_write> d_bias: array<f32>; // filters

var<workgroup> sums: array<array<f32, SIZE>, SUMS>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let pixels = dims.w * dims.h;
    var own: array<f32, SUMS>;
    for (var i = me; i < dims.images * pixels; i += SIZE) {
        let image = i / pixels;
        let at = i % pixels;
        let d = d_out[(image * dims.filters + group.y) * pixels + at];
        if (d == 0.0) { // as three of four are, after max-pool
            continue;
        }
        let plane = (image * dims.ch + group.x) * pixels;
        let column = at % dims.w;
        let row = at / dims.w;
        for (var tap = 0u; tap < 9u; tap++) {
            let y = row + tap / 3u - 1u; // above the picture it is very large
            let across = column + tap % 3u - 1u;
            if (y < dims.h && across < dims.w) {
                own[tap] += d * x[plane + y * dims.w + across];
            }
        }
        own[9] += d;
    }
    for (var s = 0u; s < SUMS; s++) {
        sums[s][me] = own[s];
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            for (var s = 0u; s < SUMS; s++) {
                sums[s][me] += sums[s][me + half];
            }
        }
    }
    if (me == 0u) {
        for (var tap = 0u; tap < 9u; tap++) {
            d_weights[(group.y * dims.ch + group.x) * 9u + tap] = sums[tap][0];
        }
        if (group.x == 0u) {
            d_bias[group.y] = sums[9][0];
        }
    }
}
