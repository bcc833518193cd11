// goals: none
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.rows || id.y != 0u) { return; }
    var best = 0u; // ½ of the work is done…
    for (var col = 0u; col < dims.cols; col = col + 1u) {
        if (x[id.x * dims.cols + col] > x[id.x * dims.cols + best]) { best = col; }
    }
    out[id.x] = best;
}
