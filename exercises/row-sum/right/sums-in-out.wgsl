// goals: none
// out itself holds the sum so far, and starts at 0.
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
    out[row] = 0.0;
    for (var col = 0u; col < dims.cols; col += 1u) {
        out[row] = out[row] + x[row * dims.cols + col];
    }
}
