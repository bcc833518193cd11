// diagnosis: corners-not-loaded
// title: Your shader never loads the four corners of the halo.
// why: The pixel in a corner of the tile has a neighbour diagonally outside. It is on none of the
//   four sides.
// ask: Your four sides have 16 places each. How many places does the halo have?
// Four sides make the halo.
const TILE = 16u;
const SIDE = TILE + 2u; // with the halo: one more on each side
struct Params {
    w: u32,
    h: u32,
    ch: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // ch × 3 × 3
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // h rows of w

var<workgroup> tile: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = TILE * group.y + local.y;
    let col = TILE * group.x + local.x;
    var sum = 0.0;
    for (var c = 0u; c < params.ch; c++) {
        let r = i32(row);
        let k = i32(col);
        tile[local.y + 1u][local.x + 1u] = pixel(c, r, k);
        if (local.y == 0u) {
            tile[0][local.x + 1u] = pixel(c, r - 1, k);
        }
        if (local.y == TILE - 1u) {
            tile[SIDE - 1u][local.x + 1u] = pixel(c, r + 1, k);
        }
        if (local.x == 0u) {
            tile[local.y + 1u][0] = pixel(c, r, k - 1);
        }
        if (local.x == TILE - 1u) {
            tile[local.y + 1u][SIDE - 1u] = pixel(c, r, k + 1);
        }
        workgroupBarrier();
        for (var dy = 0u; dy < 3u; dy++) {
            for (var dx = 0u; dx < 3u; dx++) {
                sum += weights[9u * c + 3u * dy + dx] * tile[local.y + dy][local.x + dx];
            }
        }
        workgroupBarrier();
    }
    if (row < params.h && col < params.w) {
        out[row * params.w + col] = sum;
    }
}

fn pixel(c: u32, row: i32, col: i32) -> f32 {
    if (row < 0 || row >= i32(params.h) || col < 0 || col >= i32(params.w)) {
        return 0.0;
    }
    return x[(c * params.h + u32(row)) * params.w + u32(col)];
}
