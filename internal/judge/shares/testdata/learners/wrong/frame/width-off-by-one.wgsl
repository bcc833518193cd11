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

var<workgroup> digit: array<f32, 400>;
var<workgroup> centre: vec2<u32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    let left = box[0];
    let top = box[1];
    let empty = left > box[2];
    let bw = select(box[2] - left, 1u, empty);
    let bh = select(box[3] - top + 1u, 1u, empty);
    let side = max(max(bw, bh), 1u);
    let dw = (bw * FIT + side - 1u) / side;
    let dh = (bh * FIT + side - 1u) / side;
    for (var i = me; i < 400u; i += SIZE) {
        let x = i % FIT;
        let y = i / FIT;
        var v = 0.0;
        if (!empty && x < dw && y < dh) {
            v = mean(FIT * left + x * side, FIT * top + y * side, side);
        }
        digit[i] = v;
    }
    workgroupBarrier();
    if (me == 0u) {
        var total = 0.0;
        var moment = vec2(0.0);
        for (var i = 0u; i < 400u; i++) {
            let p = vec2(f32(i % FIT) + 0.5, f32(i / FIT) + 0.5);
            total += digit[i];
            moment += digit[i] * p;
        }
        if (total > 0.0) { centre = vec2<u32>(moment / total); }
    }
    workgroupBarrier();
    for (var i = me; i < SIDE * SIDE; i += SIZE) {
        let x = i32(i % SIDE) - 14 + i32(centre.x);
        let y = i32(i / SIDE) - 14 + i32(centre.y);
        var v = 0.0;
        if (x >= 0 && y >= 0 && x < i32(FIT) && y < i32(FIT)) {
            v = digit[u32(y) * FIT + u32(x)];
        }
        out[i] = v;
    }
}
