// diagnosis: first-element
// title: The output holds the first element of each row.
// why: A row has cols elements, and only one of them reached the output.
// ask: What lets one invocation visit all elements of its row?
// The row begins at row * cols.
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
    out[row] = x[row * dims.cols];
}
