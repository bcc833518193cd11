// transpose-fast: out is x (rows × cols) with rows and columns exchanged; neighbours read and
// write side by side
const SIDE = 16u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // cols × rows

var<workgroup> t: array<array<f32, 17>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let r0 = group.y * SIDE;
    let c0 = group.x * SIDE;
    if (r0 + local.y < dims.rows && c0 + local.x < dims.cols) {
        t[local.y][local.x] = x[(r0 + local.y) * dims.cols + c0 + local.x];
    }
    workgroupBarrier();
    let row = group.y * SIDE + local.y;
    let col = group.x * SIDE + local.x;
    if (row >= dims.cols || col >= dims.rows) { return; }
    out[row * dims.rows + col] = t[local.x][local.y];
}
