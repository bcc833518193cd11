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

var<workgroup> scaled: array<array<f32, FIT>, FIT>;
var<workgroup> mid: vec2<i32>;
fn scale_down(x: u32, y: u32) -> f32 {
    if (box[0] > box[2]) { return 0.0; }
    let size = vec2(box[2] - box[0] + 1u, box[3] - box[1] + 1u);
    let side = max(size.x, size.y);
    let fit = (size * FIT + vec2(side - 1u)) / side;
    if (x >= fit.x || y >= fit.y) { return 0.0; }
    return mean(box[0] * FIT + x * side, box[1] * FIT + y * side, side);
}

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    for (var i = me; i < 400u; i += SIZE) {
        scaled[i / FIT][i % FIT] = scale_down(i % FIT, i / FIT);
    }
    workgroupBarrier();
    if (me == 0u) {
        var sum = vec3(0.0);
        for (var y = 0u; y < FIT; y++) {
            for (var x = 0u; x < FIT; x++) {
                sum += scaled[y][x] * vec3(f32(x) + 0.5, f32(y) + 0.5, 1.0);
            }
        }
        mid = vec2(14, 14);
        if (sum.z > 0.0) { mid = vec2<i32>(sum.xy / sum.z); }
    }
    workgroupBarrier();
    for (var i = me; i < SIDE * SIDE; i += SIZE) {
        let at = vec2(i32(i % SIDE), i32(i / SIDE)) - vec2(14) - mid;
        let ok = all(at >= vec2(0)) && all(at < vec2(20));
        var v = 0.0;
        if (ok) { v = scaled[at.y][at.x]; }
        out[i] = v;
    }
}
