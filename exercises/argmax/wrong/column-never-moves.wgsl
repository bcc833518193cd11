// diagnosis: did-not-finish
// while goes through the columns.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) { return; }
    let start = row * dims.cols;
    var index = 0u;
    var col = 1u;
    while (col < dims.cols) {
        if (x[start + col] > x[start + index]) {
            index = col;
        }
    }
    out[row] = index;
}
