// diagnosis: first-row
// title: Only the first row was written.
// why: The row is 0 in all invocations. The host covers the rows as well: id also has a y.
// ask: Where does your row come from?
// One invocation for each column will do.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = 0u;
    let col = id.x;
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    out[row * dims.cols + col] = 1000u * row + col;
}
