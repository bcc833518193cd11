// diagnosis: row-as-offset
// title: Your shader lets row r of x begin at element r.
// why: r counts rows, and each row of x has dims.cols elements.
// ask: x is 2 × 3. At which index does its row 1 begin?
// The index in x is row plus column.
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
    out[row * dims.rows + col] = x[col + row];
}
