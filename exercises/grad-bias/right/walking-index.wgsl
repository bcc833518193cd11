// goals: coalesced; writes each result once
// way: The index walks down the column by whole rows, and stops at the end of the matrix.
// The index walks down the column, a whole row at a time.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(32, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < dims.cols) {
        var sum: f32;
        for (var i = id.x; i < dims.rows * dims.cols; i += dims.cols) {
            sum = sum + d[i];
        }
        db[id.x] = sum;
    }
}
