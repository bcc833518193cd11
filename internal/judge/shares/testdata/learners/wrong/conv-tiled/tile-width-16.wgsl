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

var<workgroup> s: array<f32, SIDE * SIDE>;
fn fetch(c: u32, r: i32, k: i32) -> f32 {
    if (r < 0 || k < 0 || r >= i32(params.h) || k >= i32(params.w)) { return 0.0; }
    return x[c * params.w * params.h + u32(r) * params.w + u32(k)];
}

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let base = vec2<i32>(group.xy * TILE) - vec2(1);
    var sum = 0.0;
    for (var c = 0u; c < params.ch; c++) {
        for (var i = me; i < 324u; i += 256u) {
            s[i] = fetch(c, base.y + i32(i / SIDE), base.x + i32(i % SIDE));
        }
        workgroupBarrier();
        for (var dy = 0u; dy < 3u; dy++) {
            let first = (local.y + dy) * TILE + local.x;
            for (var dx = 0u; dx < 3u; dx++) {
                sum += weights[c * 9u + dy * 3u + dx] * s[first + dx];
            }
        }
        workgroupBarrier();
    }
    let row = group.y * TILE + local.y;
    let col = group.x * TILE + local.x;
    if (row < params.h && col < params.w) { out[row * params.w + col] = sum; }
}
