// diagnosis: row-column-swapped
// title: Your index multiplies the column by w.
// why: Rows lie one after the other, each w numbers long. So the row is what w multiplies, and the
//   column is added.
// ask: Where does row 1 begin in a picture that is 3 wide?
// x is first.
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
    let i = id.x * params.w + id.y;
    out[i] = x[i];
}
