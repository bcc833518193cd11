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

var<workgroup> pad: array<array<f32, SIDE + 1u>, SIDE>;
fn load(r: u32, c: u32) -> f32 {
    if (r < dims.rows && c < dims.cols) {
        return x[r * dims.cols + c];
    }
    return 0.0;
}

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let corner = group.yx * SIDE;
    pad[local.y][local.x] = load(corner.y + local.y, corner.x + local.x);
    workgroupBarrier();
    let col = group.x * SIDE + local.x;
    let row = group.y * SIDE + local.y;
    if (row < dims.rows && col < dims.cols) {
        out[row * dims.rows + col] = pad[local.x][local.y];
    }
}
