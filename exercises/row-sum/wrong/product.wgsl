// diagnosis: product
// title: The output holds the product of each row.
// why: The elements were multiplied, but they should be added.
// ask: What is the sum of 2 and 3, and what did your shader make of them?
// Each element is taken in turn.
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
    var sum = 1.0;
    for (var col = 0u; col < dims.cols; col++) {
        sum *= x[row * dims.cols + col];
    }
    out[row] = sum;
}
