// frame: the ink in the box, scaled into 20 × 20, its centre of mass at pixel (14, 14) of out
const SIDE = 28u; // of out
const FIT = 20u; // the longer side of the digit
const SIZE = 256u;
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read> box: array<u32>; // left, top, right, bottom
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // 28 × 28

// mean returns the mean of a square of image, side wide and high. All three are in twentieths of a
// pixel, so they are whole numbers.
fn mean(left: u32, top: u32, side: u32) -> f32 {
    var sum = 0.0;
    for (var y = top / FIT; y < params.h && y * FIT < top + side; y++) {
        let high = min((y + 1u) * FIT, top + side) - max(y * FIT, top);
        for (var x = left / FIT; x < params.w && x * FIT < left + side; x++) {
            let wide = min((x + 1u) * FIT, left + side) - max(x * FIT, left);
            sum += f32(wide * high) * image[y * params.w + x];
        }
    }
    return sum / f32(side * side);
}

var<workgroup> pix: array<f32, 400>;
var<workgroup> c: array<f32, 3>;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    let has = box[0] <= box[2];
    let bw = box[2] - box[0] + 1u;
    let bh = box[3] - box[1] + 1u;
    let longer = max(bw, bh);
    for (var i = me; i < 400u; i += SIZE) {
        let px = i % 20u;
        let py = i / 20u;
        if (has) {
            let nx = (bw * 20u + longer - 1u) / longer;
            let ny = (bh * 20u + longer - 1u) / longer;
            if (px < nx && py < ny) {
                pix[i] = mean(20u * box[0] + px * longer, 20u * box[1] + py * longer, longer);
            }
        }
    }
    if (me == 0u) {
        for (var i = 0u; i < 400u; i++) {
            c[0] += pix[i] * (f32(i % 20u) + 0.5);
            c[1] += pix[i] * (f32(i / 20u) + 0.5);
            c[2] += pix[i];
        }
    }
    workgroupBarrier();
    var mx = 14;
    var my = 14;
    if (c[2] > 0.0) {
        mx = i32(c[0] / c[2]);
        my = i32(c[1] / c[2]);
    }
    for (var i = me; i < SIDE * SIDE; i += SIZE) {
        let x = i32(i % SIDE) - 14 + mx;
        let y = i32(i / SIDE) - 14 + my;
        out[i] = 0.0;
        if (x >= 0 && x < 20 && y >= 0 && y < 20) { out[i] = pix[20 * y + x]; }
    }
}
