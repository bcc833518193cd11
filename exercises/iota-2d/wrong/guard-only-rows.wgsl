// diagnosis: guard-only-rows
// title: Your guard compares both the row and the column with the number of rows.
// why: There are two limits: the rows end at dims.rows, the columns at dims.cols. They are equal
//   only in a square matrix.
// ask: In a matrix with 1 row and 65 columns, does the invocation for the last column get past your
//   guard?
// One number limits both ids.
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
    if (row >= dims.rows || col >= dims.rows) {
        return;
    }
    out[row * dims.cols + col] = 1000u * row + col;
}
