// quiz-climb: out[row] is the sum of the ascents in that row of x; each invocation takes one row.
//
// The loop begins at column 1, because column 0 has no height before it. max(…, 0.0) turns each
// descent into 0, as in relu. A row with one column has no difference, and its sum stays 0.

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
        let at = row * dims.cols + col;
        sum += max(x[at] - x[at - 1u], 0.0);
    }
    out[row] = sum;
}
