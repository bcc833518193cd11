// diagnosis: local-id
// title: Only the first rows were written, as many as a workgroup has invocations.
// why: local_invocation_id starts again at 0 in every workgroup. So all workgroups worked on the
//   same first rows.
// ask: Which builtin keeps counting from one workgroup to the next?
// The invocation in the workgroup is the row.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0.0;
    for (var col = 0u; col < dims.cols; col++) {
        sum += x[row * dims.cols + col];
    }
    out[row] = sum;
}
