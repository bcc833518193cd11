// diagnosis: stride-rows
// title: Your shader assumes that a row has as many elements as there are rows.
// why: Row-major means that whole rows come one after the other. To skip one, you go on by as many
//   elements as a row has.
// ask: In a matrix of 3 rows and 5 columns, at which index does row 1 begin?
// Row-major has rows in it.
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
    out[row * dims.rows + col] = 1000u * row + col;
}
