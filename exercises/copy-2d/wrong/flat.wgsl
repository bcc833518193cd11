// diagnosis: first-row
// title: Only the first row was copied.
// why: Your index is the column alone, so the invocations of all rows copy the same numbers.
// ask: Which part of the index says in which row a number is?
// The index is id.x.
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
    out[id.x] = x[id.x];
}
