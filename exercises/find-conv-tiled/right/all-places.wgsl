// goals: workgroups share what they fetch; few barriers
// The bug is in this line: tile[local.y + 1u][SIDE - 1u] = pixel(c, r, k + 1);
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
        for (var i = local.y * TILE + local.x; i < SIDE * SIDE; i += TILE * TILE) {
            let above = i32(TILE * group.y + i / SIDE) - 1;
            tile[i / SIDE][i % SIDE] = pixel(c, above, i32(TILE * group.x + i % SIDE) - 1);
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
