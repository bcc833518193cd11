// diagnosis: not-mirrored
// title: Each element was fetched from the same row and column of x, not from the mirrored place.
// why: Row and column change places: what was to the right is now below.
// ask: Which element of x belongs in row 2, column 0 of out?
// The element stays in its row and column.
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
    out[row * dims.rows + col] = x[row * dims.cols + col];
}
