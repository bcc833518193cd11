// diagnosis: skips-first
// title: The first element of each row is missing.
// why: Your loop starts at column 1. Columns start at 0, as in Go.
// ask: With 1 column, does your loop run at all?
// Counting starts at 1.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0.0;
    for (var col = 1u; col < dims.cols; col++) {
        sum += x[row * dims.cols + col];
    }
    out[row] = sum;
}
