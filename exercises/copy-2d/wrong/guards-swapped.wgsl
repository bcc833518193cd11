// diagnosis: guards-swapped
// title: Your guard compares columns with h and rows with w.
// why: id.x counts columns, and there are w of them. If w and h differ, no invocation copies
//   some of the numbers.
// ask: Which size does id.x run along?
// x and h, y and w.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.h || id.y >= params.w) {
        return;
    }
    let i = id.y * params.w + id.x;
    out[i] = x[i];
}
