// diagnosis: column-major
// title: The elements were read as if d were stored column by column.
// why: We store a matrix row after row, so the elements of a column are far apart.
// ask: Which two elements of d are next to each other in memory?
// The column times the number of rows, plus the row.
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
        total += d[col * dims.rows + row];
    }
    db[col] = total;
}
