// diagnosis: skips-last
// title: The last element of each row is missing.
// why: Your loop ends one step early.
// ask: With 1 column, does your loop run at all?
// The last index is cols - 1, and the loop ends there.
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
    for (var col = 0u; col < dims.cols - 1u; col++) {
        sum += x[row * dims.cols + col];
    }
    out[row] = sum;
}
