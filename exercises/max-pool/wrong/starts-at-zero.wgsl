// diagnosis: starts-at-zero
// title: Where all four are negative, your result is 0.
// why: 0 is larger than any negative number, so it wins. After conv-2d, many numbers are negative.
// ask: Which of the four numbers -3, -1, -2, -5 is the largest?
// Nothing is smaller than 0.
struct Params {
    w: u32,
    h: u32,
    ch: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // ch pictures, each h / 2 rows of w / 2

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let w = params.w / 2u;
    let h = params.h / 2u;
    if (id.x >= w * h || id.y >= params.ch) {
        return;
    }
    let col = id.x % w;
    let row = id.x / w;
    let first = (id.y * params.h + 2u * row) * params.w + 2u * col;
    var largest = max(0.0, x[first]);
    largest = max(largest, x[first + 1u]);
    largest = max(largest, x[first + params.w]);
    largest = max(largest, x[first + params.w + 1u]);
    out[id.y * w * h + id.x] = largest;
}
