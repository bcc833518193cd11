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

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    // Your lines go here, and above main what the workgroup shares.
}
