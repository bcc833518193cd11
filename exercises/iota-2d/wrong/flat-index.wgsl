// diagnosis: flat-index
// title: Only the first elements were written.
// why: You use id.x as the number of the element. But the host dispatches in two dimensions: x
//   covers the columns and y the rows. So id.x goes only as far as the columns need.
// ask: Which row and which column belong to the invocation with id = (3, 2)?
// id.x numbers all elements, as in vector-add.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x / dims.cols;
    let col = id.x % dims.cols;
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    out[row * dims.cols + col] = 1000u * row + col;
}
