// goals: writes each result once
// The index walks from the first element of the row to the first of the next.
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
    let end = (row + 1u) * dims.cols;
    var sum: f32;
    for (var i = row * dims.cols; i < end; i++) {
        sum = sum + x[i];
    }
    out[row] = sum;
}
