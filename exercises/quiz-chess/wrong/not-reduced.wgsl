// diagnosis: sums
// title: out holds the sum of row and column.
// why: The sum is even and odd in turn, but the board needs 0 and 1.
// ask: Which operator keeps only whether a number is even or odd?
// The sum changes at every step.
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
