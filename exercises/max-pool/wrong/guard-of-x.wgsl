// diagnosis: missing-column-guard
// title: Invocations past the last place of a channel write as well.
// why: id.x counts the places of a picture of out, and the host rounds up to whole workgroups.
//   After the last place of a channel comes the first of the next one.
// ask: A picture of out has 126 places and the workgroup has 64 invocations. How far does id.x go?
// All pixels of the picture.
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
    if (id.x >= params.w * params.h || id.y >= params.ch) {
        return;
    }
    let col = id.x % w;
    let row = id.x / w;
    let first = (id.y * params.h + 2u * row) * params.w + 2u * col;
    var largest = x[first];
    largest = max(largest, x[first + 1u]);
    largest = max(largest, x[first + params.w]);
    largest = max(largest, x[first + params.w + 1u]);
    out[id.y * w * h + id.x] = largest;
}
