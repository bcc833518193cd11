// conv-tiled: one filter of 3 × 3 over all channels, but each pixel is fetched about once.
//
// In conv-2d, each pixel is fetched by 9 invocations. Here a workgroup of 16 × 16
// fetches all that it needs into workgroup memory: its own 16 × 16 pixels, and a
// halo of one pixel around them, corners included. That makes 18 × 18 places for 256
// invocations. So each fetches one or two: place me, then place me + 256.
//
// The halo belongs to the tiles around, or is outside of the picture: there it is 0.

const TILE = 16u;
const SIDE = TILE + 2u; // with the halo: one more on each side

struct Params {
    w: u32,
    h: u32,
    ch: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch × h × w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // ch × 3 × 3
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // h × w

var<workgroup> tile: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(TILE, TILE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let top = i32(TILE * group.y) - 1; // of the tile, in x
    let left = i32(TILE * group.x) - 1;
    var sum = 0.0;
    for (var c = 0u; c < params.ch; c++) {
        for (var i = me; i < SIDE * SIDE; i += TILE * TILE) {
            tile[i / SIDE][i % SIDE] = pixel(c, top + i32(i / SIDE), left + i32(i % SIDE));
        }
        workgroupBarrier(); // the tile is complete
        for (var i = 0u; i < 9u; i++) {
            sum += weights[9u * c + i] * tile[local.y + i / 3u][local.x + i % 3u];
        }
        workgroupBarrier(); // all invocations are done with it
    }
    let row = TILE * group.y + local.y;
    let column = TILE * group.x + local.x;
    if (row < params.h && column < params.w) {
        out[row * params.w + column] = sum;
    }
}

// pixel returns a pixel of channel c, and 0 outside of the picture.
fn pixel(c: u32, row: i32, column: i32) -> f32 {
    if (row < 0 || column < 0 || row >= i32(params.h) || column >= i32(params.w)) {
        return 0.0;
    }
    return x[(c * params.h + u32(row)) * params.w + u32(column)];
}
