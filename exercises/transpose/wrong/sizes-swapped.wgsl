// diagnosis: sizes-swapped
// title: The shader takes dims.rows for the rows of out, and they are those of x.
// why: x has dims.rows rows and dims.cols columns. In out it is the other way round, so the guard
//   and both indices have the two sizes exchanged.
// ask: x is 2 × 3. How many rows does out have, and which member of dims is that number?
// Everything fits together, for a matrix of the other shape.
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
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    out[row * dims.cols + col] = x[col * dims.rows + row];
}
