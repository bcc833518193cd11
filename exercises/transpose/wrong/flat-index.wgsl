// diagnosis: flat-index
// title: Only the first elements were written.
// why: You use id.x as the number of the element. But the host dispatches in two dimensions: x
//   covers the columns of out and y its rows.
// ask: Which row and which column of out belong to the invocation with id = (3, 2)?
// id.x numbers all elements, as in vector-add.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x / dims.rows;
    let col = id.x % dims.rows;
    if (row >= dims.cols || col >= dims.rows) {
        return;
    }
    out[row * dims.rows + col] = x[col * dims.cols + row];
}
