// diagnosis: first-only
// title: Only element 0 is right; the others were never written.
// why: Every invocation runs the same code. With the fixed index 0, all of them write to the same
//   element. (In a one-dimensional dispatch, id.y and id.z are always 0 as well.)
// ask: How can one line of code write to a different element in each invocation?
// The shader runs over the array by itself.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        if (data[0] < 0.0 && i == 0u) {
            data[0] *= params.slope;
        }
    }
}
