// diagnosis: row-as-value
// title: All elements of a row got the same number.
// why: Your value uses only the row.
// ask: How should the numbers in row 2, columns 3 and 4 differ?
// The place of a number already shows its column.
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
    out[row * dims.cols + col] = 1000u * row;
}
