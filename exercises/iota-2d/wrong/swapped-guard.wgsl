// diagnosis: swapped-guard
// title: Your guard and the code after it disagree about which id is the row.
// why: x runs along the columns and y down the rows. In a tall or wide matrix your guard holds back
//   invocations that have work to do, and lets others through that have none.
// ask: In a matrix with 1 row and 65 columns, does the invocation for the last column get past your
//   guard?
// x belongs to the first member of dims, y to the second.
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
    if (id.x >= dims.rows || id.y >= dims.cols) {
        return;
    }
    out[row * dims.cols + col] = 1000u * row + col;
}
