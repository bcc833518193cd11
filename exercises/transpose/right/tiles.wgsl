// goals: coalesced on both sides
// A tile in workgroup memory: rows of x come in, rows of out go out.
const SIDE = 8u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> tile: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    // A tile of out begins at (SIDE * group.y, SIDE * group.x), its tile of x at the mirrored place.
    let from_row = SIDE * group.x + local.y;
    let from_col = SIDE * group.y + local.x;
    if (from_row < dims.rows && from_col < dims.cols) {
        tile[local.y][local.x] = x[from_row * dims.cols + from_col];
    }
    workgroupBarrier();
    let row = SIDE * group.y + local.y;
    let col = SIDE * group.x + local.x;
    if (row < dims.cols && col < dims.rows) {
        out[row * dims.rows + col] = tile[local.x][local.y];
    }
}
