// goals: writes each result once
// A while loop from the last column to the first, inside the guard.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(32, 1, 1)
fn main(@builtin(global_invocation_id) gid: vec3u) {
    if (gid.x < dims.rows) {
        var total = 0f;
        var left = dims.cols;
        while (left > 0u) {
            left--;
            total += x[gid.x * dims.cols + left];
        }
        out[gid.x] = total;
    }
}
