// iota-2d: out[row, col] = 1000 * row + col, for a matrix of rows × cols.
//
// The host covers the columns with x and the rows with y, so each invocation has a
// place of its own in the matrix. Memory holds the matrix row by row: before row
// `row` there are that many whole rows of cols elements each.

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row < dims.rows && col < dims.cols) {
        out[row * dims.cols + col] = 1000u * row + col;
    }
}
