// diagnosis: swapped-guard
// title: Your guard compares with the sizes of x, and your ids are places in out.
// why: out has as many rows as x has columns. In a tall or wide matrix your guard holds back
//   invocations that have work to do.
// ask: x is 2 × 3. In which rows of out does your guard let an invocation write?
// rows limits the row, cols the column.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    out[row * dims.rows + col] = x[col * dims.cols + row];
}
