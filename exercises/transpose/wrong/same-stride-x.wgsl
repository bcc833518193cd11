// diagnosis: stride-x
// title: Your shader assumes that the rows of x are as long as those of out.
// why: Each matrix has its own row length. x has dims.rows rows and dims.cols columns.
// ask: x is 2 × 3. At which index does its row 1 begin?
// out has dims.rows columns, so x has as well.
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
    if (row >= dims.cols || col >= dims.rows) {
        return;
    }
    out[row * dims.rows + col] = x[col * dims.rows + row];
}
