// diagnosis: abs
// title: Negative elements were added as if they were positive.
// why: Samples that want a smaller bias have to cancel against those that want a larger one.
// ask: What should happen to a negative element?
// Sums count amounts.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let col = id.x;
    if (col >= dims.cols) {
        return;
    }
    var total = 0.0;
    for (var row = 0u; row < dims.rows; row++) {
        total += abs(d[row * dims.cols + col]);
    }
    db[col] = total;
}
