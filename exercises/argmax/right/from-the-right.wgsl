// goals: none
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // From the last column to the first: of equal ones the later find is the lower index.
    if (id.x < dims.rows) {
        let start = id.x * dims.cols;
        var best = dims.cols - 1u;
        for (var left = dims.cols - 1u; left > 0u; left--) {
            if (x[start + left - 1u] >= x[start + best]) { best = left - 1u; }
        }
        out[id.x] = best;
    }
}
