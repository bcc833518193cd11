// transpose: out[row, col] = x[col, row], for x of rows × cols, so that out is cols × rows.
//
// The host covers out, so each invocation writes the element at its own place and
// fetches it from the mirrored place in x. Each matrix has its own number of
// columns: x has dims.cols, and out, where the rows of x are columns, dims.rows.

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let row = id.y; // of out
    let col = id.x;
    if (row >= dims.cols || col >= dims.rows) {
        return;
    }
    out[row * dims.rows + col] = x[col * dims.cols + row];
}
