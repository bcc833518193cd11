// diagnosis: local-id
// title: Only the first rows were replaced, as many as a workgroup has invocations.
// why: You use local_invocation_id as the row. It starts again at 0 in every workgroup, so all of
//   them worked on the same first rows, again and again.
// ask: Each workgroup takes one row. Which builtin is the number of the workgroup?
// Each invocation takes a row.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_id) local: vec3<u32>) {
    let row = local.x;
    if (row >= dims.rows) {
        return;
    }
    let start = row * dims.cols;
    var largest = data[start];
    for (var c = 1u; c < dims.cols; c++) {
        largest = max(largest, data[start + c]);
    }
    var total = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        total += exp(data[start + c] - largest);
    }
    for (var c = 0u; c < dims.cols; c++) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
