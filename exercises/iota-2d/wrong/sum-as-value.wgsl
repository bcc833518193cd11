// diagnosis: sum-as-value
// title: Every element holds the sum of its row and its column.
// why: Many places have the same sum. The task tells them apart: the row counts the thousands.
// ask: Which number belongs in row 2, column 3?
// The number combines row and column.
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
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    out[row * dims.cols + col] = row + col;
}
