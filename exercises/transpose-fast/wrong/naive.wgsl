// diagnosis: no-workgroup-memory
// title: The values are right, but nothing is shared in workgroup memory.
// why: Neighbours write one row of out and read one column of x, so each of them fetches a sector
//   of 32 bytes for a single number.
// ask: Which kind of variable could hold a tile of x, so that one invocation stores a number and
//   another one takes it?
// The shader from lesson 3 is right.
const SIDE = 16u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // cols × rows

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = SIDE * group.y + local.y;
    let col = SIDE * group.x + local.x;
    if (row < dims.cols && col < dims.rows) {
        out[row * dims.rows + col] = x[col * dims.cols + row];
    }
}
