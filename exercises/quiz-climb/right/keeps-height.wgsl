// goals: writes each result once
// way: It remembers the last height, so it reads each number once.
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
    var last = x[row * dims.cols];
    var sum = 0.0;
    for (var col = 1u; col < dims.cols; col++) {
        let height = x[row * dims.cols + col];
        sum += max(height - last, 0.0);
        last = height;
    }
    out[row] = sum;
}
