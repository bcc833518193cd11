// diagnosis: local-id
// title: Only the first columns were written, as many as a workgroup has invocations.
// why: local_invocation_id starts again at 0 in every workgroup. So all workgroups worked on the
//   same first columns.
// ask: Which builtin keeps counting from one workgroup to the next?
// The invocation in the workgroup is the column.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;
const SIZE = 64u;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let col = id.x;
    if (col >= dims.cols) {
        return;
    }
    var total = 0.0;
    for (var row = 0u; row < dims.rows; row++) {
        total += d[row * dims.cols + col];
    }
    db[col] = total;
}
