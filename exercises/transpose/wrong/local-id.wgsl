// diagnosis: local-id
// title: Only the first workgroup's corner of out was written.
// why: local_invocation_id starts again at (0, 0) in every workgroup. So all workgroups worked on
//   the same corner at the top left, and none on the rest.
// ask: Which builtin keeps counting from one workgroup to the next, in x and in y?
// The place in the workgroup is the place in the matrix.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.cols || col >= dims.rows) {
        return;
    }
    out[row * dims.rows + col] = x[col * dims.cols + row];
}
