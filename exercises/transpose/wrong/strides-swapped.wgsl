// diagnosis: strides-swapped
// title: The row lengths of x and out are swapped.
// why: x has dims.cols columns: that is how long its rows are. In out it is the other way round.
// ask: x is 2 × 3. How many elements does a row of x have, and how many a row of out?
// rows belongs to x, cols to out.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.cols || col >= dims.rows) {
        return;
    }
    out[row * dims.cols + col] = x[col * dims.rows + row];
}
