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

var<workgroup> small: array<f32, 400>;
var<workgroup> cx: i32;
var<workgroup> cy: i32;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    let nothing = box[0] > box[2];
    let w = box[2] - box[0] + 1u;
    let h = box[3] - box[1] + 1u;
    var side = max(w, h);
    var cols = 0u;
    var rows = 0u;
    if (!nothing) {
        cols = (w * FIT + side - 1u) / side;
        rows = (h * FIT + side - 1u) / side;
    }
    for (var i = me; i < FIT * FIT; i += SIZE) {
        let c = i % FIT;
        let r = i / FIT;
        small[i] = 0.0;
        if (c < cols && r < rows) {
            small[i] = mean(box[0] * FIT + c * side, box[1] * FIT + r * side, side);
        }
    }
    workgroupBarrier();
    if (me == 0u) {
        var ink = 0.0;
        var sx = 0.0;
        var sy = 0.0;
        for (var r = 0u; r < rows; r++) {
            for (var c = 0u; c < cols; c++) {
                ink += 1.0;
                sx += f32(c) + 0.5;
                sy += f32(r) + 0.5;
            }
        }
        cx = i32(sx / max(ink, 1.0));
        cy = i32(sy / max(ink, 1.0));
    }
    workgroupBarrier();
    for (var i = me; i < SIDE * SIDE; i += SIZE) {
        let c = i32(i % SIDE) + cx - 14;
        let r = i32(i / SIDE) + cy - 14;
        out[i] = 0.0;
        if (c >= 0 && c < 20 && r >= 0 && r < 20) {
            out[i] = small[r * 20 + c];
        }
    }
}
