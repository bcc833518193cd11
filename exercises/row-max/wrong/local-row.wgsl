// diagnosis: local-id
// title: Only the first rows were written, as many as a workgroup has invocations.
// why: You use local_invocation_id as the row. It starts again at 0 in every workgroup, so all of
//   them worked on the same first rows.
// ask: Each workgroup takes one row. Which builtin is the number of the workgroup?
// Each invocation takes a row.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = local.x;
    let me = local.x;
    if (row >= dims.rows) {
        return;
    }
    var best = -3.4e38;
    for (var c = 0u; c < dims.cols; c += 1u) {
        best = max(best, x[row * dims.cols + c]);
    }

    out[row] = best;
}
