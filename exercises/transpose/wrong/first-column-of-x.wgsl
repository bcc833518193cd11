// diagnosis: first-row-everywhere
// title: Every column of out is the first row of x.
// why: Your index into x doesn't use the row of x, so it never leaves the first one.
// ask: Which row of x does the invocation in column 2 of out need?
// The column is enough to find the element.
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
    out[row * dims.rows + col] = x[row];
}
