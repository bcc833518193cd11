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
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let col = id.x;
    if (col >= dims.cols) {
        return;
    }
    var total = 0.0;
    for (var row = 0u; row < dims.rows; row++) {
        total += d[row * dims.rows + col];
    }
    db[col] = total;
}
