// diagnosis: wrong-stride
// title: Your shader assumes that a row has as many elements as there are rows.
// why: To skip a row, you go on by as many elements as it has. That is the number of columns.
// ask: In a matrix of 3 rows and 4 columns, at which element does row 1 begin?
// Row-major has rows in it.
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
    for (var col = 0u; col < dims.cols; col++) {
        sum += x[row * dims.rows + col];
    }
    out[row] = sum;
}
