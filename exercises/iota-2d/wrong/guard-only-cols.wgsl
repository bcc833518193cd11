// diagnosis: guard-only-cols
// title: Your guard compares both the row and the column with the number of columns.
// why: There are two limits: the rows end at dims.rows, the columns at dims.cols. They are equal
//   only in a square matrix.
// ask: In a matrix with 65 rows and 1 column, does the invocation for the last row get past your
//   guard?
// The number of columns is how large the matrix is.
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
    if (row >= dims.cols || col >= dims.cols) {
        return;
    }
    out[row * dims.cols + col] = 1000u * row + col;
}
