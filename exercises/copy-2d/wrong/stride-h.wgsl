// diagnosis: stride-h
// title: Your shader assumes that a row is h numbers long.
// why: A row has one number for each column, and there are w columns. h says how many rows there
//   are.
// ask: A picture is 3 wide and 2 high. At which index does row 1 begin?
// The index is row times rows.
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
    let i = id.y * params.h + id.x;
    out[i] = x[i];
}
