// diagnosis: columns-limited
// title: Columns after the first 64 don't count.
// why: An array in a function has a fixed length, but the host decides how many columns a row has. Your
//   shader never compares the values that don't fit into the copy.
// ask: Do you need all values of a row at the same time?
// First a copy of the row, since memory is slow.
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
    if (row >= dims.rows) { return; }
    var copy: array<f32, 64>;
    let cols = min(dims.cols, 64u);
    for (var col = 0u; col < cols; col++) {
        copy[col] = x[row * dims.cols + col];
    }
    var best = 0u;
    for (var col = 1u; col < cols; col++) {
        if (copy[col] > copy[best]) {
            best = col;
        }
    }
    out[row] = best;
}
