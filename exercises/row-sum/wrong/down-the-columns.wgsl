// diagnosis: columns
// title: The shader added down the columns instead of along the rows.
// why: out has one element per row, and the elements of a row are next to each other.
// ask: From one step to the next, should the row change or the column?
// The loop runs over the rows.
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
    var sum = 0.0;
    for (var i = 0u; i < dims.rows; i++) {
        sum += x[i * dims.cols + row];
    }
    out[row] = sum;
}
