// diagnosis: in-memory-order
// title: The numbers take turns along memory, also from one row to the next.
// why: Where rows have an even number of columns, each row begins like the one above it. So you
//   get stripes.
// ask: In a board of 2 × 4, which index is right below index 0, and is it odd?
// In memory, the squares are one after the other.
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
    out[row * dims.cols + col] = (row * dims.cols + col) % 2u;
}
