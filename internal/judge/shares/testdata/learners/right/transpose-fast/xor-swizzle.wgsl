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

var<workgroup> tile: array<f32, 256>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let xr = SIDE * group.x + local.y;
    let xc = SIDE * group.y + local.x;
    var v = 0.0;
    if (xr < dims.rows && xc < dims.cols) { v = x[xr * dims.cols + xc]; }
    tile[local.y * SIDE + (local.x ^ local.y)] = v;
    workgroupBarrier();
    let r = SIDE * group.y + local.y;
    let c = SIDE * group.x + local.x;
    if (r < dims.cols && c < dims.rows) {
        out[r * dims.rows + c] = tile[local.x * SIDE + (local.y ^ local.x)];
    }
}
