// diagnosis: index-as-value
// title: Every element holds its own index.
// why: That is hello in two dimensions. The task asks for a number that shows the row and the
//   column.
// ask: Which number belongs in row 2, column 3? What is there in your output?
// iota: each element holds its own index.
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
    out[row * dims.cols + col] = row * dims.cols + col;
}
