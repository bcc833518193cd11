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

var<workgroup> cells: array<f32, 272>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let x_row = SIDE * group.x + local.y;
    let x_col = SIDE * group.y + local.x;
    if (x_row < dims.rows) {
        if (x_col < dims.cols) {
            cells[local.y * 17u + local.x] = x[x_row * dims.cols + x_col];
        }
    }
    let y = SIDE * group.y + local.y;
    let c = SIDE * group.x + local.x;
    if (y < dims.cols && c < dims.rows) {
        out[y * dims.rows + c] = cells[local.x * 17u + local.y];
    }
}
