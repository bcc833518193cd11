// diagnosis: reads-backwards
// title: out holds the elements of x from the last to the first.
// why: A transpose keeps the first and the last element where they are. It mirrors the
//   matrix along the line between them.
// ask: Which element of x belongs in row 0, column 1 of out?
// Transposed means from the end.
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
    out[row * dims.rows + col] = x[arrayLength(&x) - 1u - (row * dims.rows + col)];
}
