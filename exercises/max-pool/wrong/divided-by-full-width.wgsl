// diagnosis: divided-by-full-width
// title: Your shader computes the row and the column with the width of x.
// why: id.x counts the places of out, and a row of out has half as many.
// ask: x is 6 wide. In which row of out is place number 4?
// The row is the number by the width.
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
    let col = id.x % params.w;
    let row = id.x / params.w;
    let first = (id.y * params.h + 2u * row) * params.w + 2u * col;
    var largest = x[first];
    largest = max(largest, x[first + 1u]);
    largest = max(largest, x[first + params.w]);
    largest = max(largest, x[first + params.w + 1u]);
    out[id.y * w * h + id.x] = largest;
}
