// diagnosis: swapped-ids
// title: Your shader takes x for the row and y for the column.
// why: The host covers the columns with x and the rows with y. With id.x as the row, some elements of
//   a tall or wide matrix stay unwritten, as soon as it needs several workgroups.
// ask: For a matrix with 1 row and 65 columns, are there more invocations in x or in y?
// The row comes first, so it is x.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    let col = id.y;
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    out[row * dims.cols + col] = 1000u * row + col;
}
