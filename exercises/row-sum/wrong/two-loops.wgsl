// diagnosis: rows-too
// title: Each row got the sum of its own elements and of all rows before it.
// why: One invocation has one row. The loop over the rows is what the dispatch replaces.
// ask: Which rows does the invocation of row 2 have to read?
// The matrix has rows and columns, so there are two loops.
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
    for (var r = 0u; r <= row; r++) {
        for (var col = 0u; col < dims.cols; col++) {
            sum += x[r * dims.cols + col];
        }
    }
    out[row] = sum;
}
