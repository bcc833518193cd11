// diagnosis: transposed
// title: Your shader exchanges rows and columns.
// why: The index of x and the index of out belong to different places. A copy keeps every number
//   in its row and column.
// ask: The number in row 1, column 2 of x: where does it belong in out?
// out is read down its columns.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.w || id.y >= params.h) {
        return;
    }
    out[id.x * params.h + id.y] = x[id.y * params.w + id.x];
}
