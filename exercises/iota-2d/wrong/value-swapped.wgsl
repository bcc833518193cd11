// diagnosis: value-swapped
// title: Every place got the number of its mirror image: row and column are swapped in the value.
// why: The index is right. The value counts the thousands in columns and the ones in rows, and it
//   should be the other way round.
// ask: Which number belongs in row 2, column 3?
// The column comes first, as x does.
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
    out[row * dims.cols + col] = 1000u * col + row;
}
