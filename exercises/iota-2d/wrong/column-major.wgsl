// diagnosis: column-major
// title: The numbers are stored column by column.
// why: We store a matrix row after row. In your shader the elements of a column are next to each
//   other instead.
// ask: Which two elements of a matrix are next to each other in memory: two of a row, or two of a
//   column?
// Column times the number of rows, plus row.
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
    out[col * dims.rows + row] = 1000u * row + col;
}
