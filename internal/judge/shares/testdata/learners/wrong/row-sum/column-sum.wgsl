// row-sum: out[row] is the sum of that row of x; each invocation adds up one row
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let r = id.x;
    if (r < dims.rows) {
        var s = 0.0;
        for (var i = 0u; i < dims.cols; i++) {
            s += x[i * dims.rows + r];
        }
        out[r] = s;
    }
}
