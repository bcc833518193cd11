// diagnosis: rows-and-columns-swapped
// title: rows and cols are swapped.
// why: Your shader uses the number of rows as the length of a row, and the number of columns as the
//   number of rows.
// ask: Which member of dims comes first, and what does it count?
// cols is how many columns of rows there are.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.cols) { return; }
    let start = row * dims.rows;
    var best = x[start];
    var index = 0u;
    for (var col = 1u; col < dims.rows; col++) {
        let value = x[start + col];
        if (value > best) {
            best = value;
            index = col;
        }
    }
    out[row] = index;
}
