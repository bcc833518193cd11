// diagnosis: tile-not-mirrored
// title: The tiles moved to their mirrored places, but inside each tile nothing was mirrored.
// why: Two things change places: the tiles, and the numbers in each tile. You read the tile at the
//   place where you stored it.
// ask: Invocation (3, 5) writes row 5, column 3 of its tile of out. Which number of the tile of x
//   belongs there?
// The tile goes to its place.
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
    let from_row = SIDE * group.x + local.y;
    let from_col = SIDE * group.y + local.x;
    if (from_row < dims.rows && from_col < dims.cols) {
        tile[local.y][local.x] = x[from_row * dims.cols + from_col];
    }
    workgroupBarrier();
    let row = SIDE * group.y + local.y;
    let col = SIDE * group.x + local.x;
    if (row < dims.cols && col < dims.rows) {
        out[row * dims.rows + col] = tile[local.y][local.x];
    }
}
