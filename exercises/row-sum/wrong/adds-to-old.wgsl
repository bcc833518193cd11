// diagnosis: accumulated
// title: The sums were added to what was in out before.
// why: An output buffer holds whatever was left in its memory, not 0.
// ask: What does out[row] hold before your first addition?
// out starts at 0.
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
    for (var col = 0u; col < dims.cols; col++) {
        out[row] += x[row * dims.cols + col];
    }
}
