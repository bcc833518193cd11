// goals: reads side by side; writes side by side
// way: What is outside of x is stored as 0, and nobody reads it.
const SIDE = 16u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // cols × rows

var<workgroup> tile: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let at = vec2(SIDE * group.y + local.x, SIDE * group.x + local.y); // column and row in x
    var value = 0.0;
    if (at.x < dims.cols && at.y < dims.rows) {
        value = x[at.y * dims.cols + at.x];
    }
    tile[local.y][local.x] = value;
    workgroupBarrier();
    let row = SIDE * group.y + local.y;
    let col = SIDE * group.x + local.x;
    if (row < dims.cols && col < dims.rows) {
        out[row * dims.rows + col] = tile[local.x][local.y];
    }
}
