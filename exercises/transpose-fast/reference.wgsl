// transpose-fast: out = x with rows and columns exchanged, as in transpose, but
// neighbours read and write side by side.
//
// In transpose, neighbours write one row of out and so read one column of x: each
// fetches a sector of its own for a single number. Here a workgroup fetches a tile
// of x row by row into workgroup memory, and writes it to out row by row. Only the
// tile is read down its columns, and workgroup memory has no sectors.
//
// It has banks: the word i is in bank i % 32. With rows of 16 numbers, every second
// row begins in the same bank, and 16 neighbours that read a column would meet in
// two banks. One unused number at the end of each row moves the next by one bank.

const SIDE = 16u;
const PITCH = SIDE + 1u; // words from one row of the tile to the next

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // cols × rows

var<workgroup> tile: array<array<f32, PITCH>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    // The tile of x is where that of out is, mirrored.
    let x_row = SIDE * group.x + local.y;
    let x_col = SIDE * group.y + local.x;
    if (x_row < dims.rows && x_col < dims.cols) {
        tile[local.y][local.x] = x[x_row * dims.cols + x_col];
    }
    workgroupBarrier(); // the tile is complete
    let row = SIDE * group.y + local.y;
    let col = SIDE * group.x + local.x;
    if (row < dims.cols && col < dims.rows) {
        out[row * dims.rows + col] = tile[local.x][local.y];
    }
}
