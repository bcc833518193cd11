// diagnosis: stride-of-rows
// title: Rows begin at the wrong elements of x.
// why: Your index takes the number of rows for the length of a row.
// ask: How many elements of x are before row 1?
// Both are in dims.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0.0;
    for (var col = 1u; col < dims.cols; col++) {
        let at = row * dims.rows + col;
        sum += max(x[at] - x[at - 1u], 0.0);
    }
    out[row] = sum;
}
