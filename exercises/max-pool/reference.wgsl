// max-pool: half as wide, half as high, and the largest of each square of four stays.
//
// A filter of conv-2d says how strongly it found something at each pixel. For reading
// a digit it matters that a stroke is there, and less whether it is one pixel further
// to the left. So a square of 2 × 2 keeps only its largest number. The next layer
// has a quarter of the work, and its filters see twice as far.
//
// If the width or the height is odd, the last column or row has no square and is left
// out. One invocation computes one number: id.x is its place in out, id.y its channel.

struct Params {
    w: u32,
    h: u32,
    ch: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch × h × w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // ch × h/2 × w/2

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let width = params.w / 2u; // of out
    let height = params.h / 2u;
    if (id.x >= width * height || id.y >= params.ch) {
        return;
    }
    let column = 2u * (id.x % width); // in x
    let row = 2u * (id.x / width);
    let at = (id.y * params.h + row) * params.w + column;
    let upper = max(x[at], x[at + 1u]);
    let lower = max(x[at + params.w], x[at + params.w + 1u]);
    out[id.y * width * height + id.x] = max(upper, lower);
}
