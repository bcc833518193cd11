// diagnosis: sum-not-mean
// title: The pixels are too bright: each holds the sum of its square, not the mean.
// why: A square of 4 pixels, all 1, should give 1.
// ask: What do you divide a sum by to get a mean?
// All of the ink.
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
    return sum / f32(FIT * FIT);
}

var<workgroup> digit: array<f32, 400>; // FIT rows of FIT
var<workgroup> centre: vec2<i32>; // the pixel of digit with the centre of mass

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    let empty = box[0] > box[2];
    var wide = 0u;
    var high = 0u;
    if (!empty) {
        let box_wide = box[2] - box[0] + 1u;
        let box_high = box[3] - box[1] + 1u;
        let side = max(box_wide, box_high);
        wide = (box_wide * FIT + side - 1u) / side; // rounded up
        high = (box_high * FIT + side - 1u) / side;
        for (var i = me; i < FIT * FIT; i += SIZE) {
            let x = i % FIT;
            let y = i / FIT;
            if (x < wide && y < high) {
                digit[i] = mean(box[0] * FIT + x * side, box[1] * FIT + y * side, side);
            }
        }
    }
    workgroupBarrier();

    if (me == 0u) {
        var mass = 0.0;
        var at = vec2<f32>(0.0, 0.0);
        for (var i = 0u; i < FIT * FIT; i++) {
            mass += digit[i];
            at += digit[i] * vec2<f32>(f32(i % FIT) + 0.5, f32(i / FIT) + 0.5);
        }
        if (mass > 0.0) {
            centre = vec2<i32>(at / mass);
        }
    }
    workgroupBarrier();

    for (var i = me; i < SIDE * SIDE; i += SIZE) {
        let x = i32(i % SIDE) - 14 + centre.x;
        let y = i32(i / SIDE) - 14 + centre.y;
        out[i] = 0.0;
        if (x >= 0 && x < i32(wide) && y >= 0 && y < i32(high)) {
            out[i] = digit[u32(y) * FIT + u32(x)];
        }
    }
}
