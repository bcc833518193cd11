// diagnosis: first-only
// title: Only element 0 is right; the others were never written.
// why: Every invocation worked on row 0. (In a one-dimensional dispatch, id.y and id.z are always
//   0.)
// ask: Which part of id differs between the invocations?
// There is one sum, in out[0].
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0.0;
    for (var col = 0u; col < dims.cols; col++) {
        sum += x[row * dims.cols + col];
    }
    out[row] = sum;
}
