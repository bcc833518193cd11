// diagnosis: missing-column-guard
// title: Invocations past the end of a row copy into the next one.
// why: The host rounds up to whole workgroups, so there are more columns of invocations than
//   columns of numbers. For them, row · w + column is a place in the next row.
// ask: w is 65 and the workgroup 16 wide. How many invocations does each row get?
// Only the rows can run out.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y >= params.h) {
        return;
    }
    let i = id.y * params.w + id.x;
    out[i] = x[i];
}
