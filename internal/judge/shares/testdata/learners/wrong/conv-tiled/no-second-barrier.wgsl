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

var<workgroup> t: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    var acc = 0.0;
    for (var c = 0u; c < params.ch; c++) {
        for (var i = me; i < SIDE * SIDE; i += TILE * TILE) {
            let y = group.y * TILE + i / SIDE - 1u;
            let xx = group.x * TILE + i % SIDE - 1u;
            t[i / SIDE][i % SIDE] = 0.0;
            if (y < params.h && xx < params.w) {
                t[i / SIDE][i % SIDE] = x[(c * params.h + y) * params.w + xx];
            }
        }
        workgroupBarrier();
        for (var k = 0u; k < 9u; k++) {
            acc += weights[9u * c + k] * t[local.y + k / 3u][local.x + k % 3u];
        }
    }
    let y = group.y * TILE + local.y;
    let xx = group.x * TILE + local.x;
    if (y < params.h) {
        if (xx < params.w) { out[y * params.w + xx] = acc; }
    }
}
