// diagnosis: guard-of-x
// title: Your second guard asks whether the place is in x, and then you write to out.
// why: In the second half, an invocation writes another element than it fetched. out has dims.cols
//   rows and dims.rows columns.
// ask: Invocation (3, 5) fetched from row 5, column 3 of its tile of x. Where does it write?
// Who fetched may write.
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
    let inside = from_row < dims.rows && from_col < dims.cols;
    if (inside) {
        tile[local.y][local.x] = x[from_row * dims.cols + from_col];
    }
    workgroupBarrier();
    let row = SIDE * group.y + local.y;
    let col = SIDE * group.x + local.x;
    if (inside) {
        out[row * dims.rows + col] = tile[local.x][local.y];
    }
}
