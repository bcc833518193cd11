// quiz-chess: 0 and 1 in turn, in rows and in columns, with 0 in row 0, column 0.
//
// A step to the right and a step down both add 1 to row + col, so the sum is even and odd in
// turn. The index can't decide: with an even number of columns, the number at the end of a row
// and the first of the next would differ, and so two neighbours in a column would not.

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
    out[row * dims.cols + col] = (row + col) % 2u;
}
