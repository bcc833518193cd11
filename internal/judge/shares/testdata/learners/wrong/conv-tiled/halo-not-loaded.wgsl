// conv-tiled: one filter of 3 × 3 over all channels, with a tile of x and its halo in workgroup memory
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

var<workgroup> tile: array<f32, 324>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row0 = i32(group.y * TILE) - 1;
    let col0 = i32(group.x * TILE) - 1;
    let row = group.y * TILE + local.y;
    let col = group.x * TILE + local.x;
    var sum = 0.0;
    for (var c = 0u; c < params.ch; c++) {
        let r = row0 + i32(me / SIDE);
        let q = col0 + i32(me % SIDE);
        var v = 0.0;
        if (r >= 0 && q >= 0 && r < i32(params.h) && q < i32(params.w)) {
            v = x[(c * params.h + u32(r)) * params.w + u32(q)];
        }
        tile[me] = v;
        workgroupBarrier();
        for (var dy = 0u; dy < 3u; dy++) {
            for (var dx = 0u; dx < 3u; dx++) {
                sum += tile[(local.y + dy) * SIDE + local.x + dx] * weights[c * 9u + dy * 3u + dx];
            }
        }
        workgroupBarrier();
    }
    if (row < params.h && col < params.w) { out[row * params.w + col] = sum; }
}
