// diagnosis: row-as-offset
// title: Your shader lets row r begin at index r.
// why: r counts rows, and each of them has several elements. So several places share an index, and
//   most of out stays unwritten.
// ask: With 5 columns, at which index does row 1 begin?
// The index is how far you go down plus how far you go right.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    out[row + col] = 1000u * row + col;
}
