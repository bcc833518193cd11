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

var<workgroup> patch_of: array<f32, 324>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let top = i32(TILE * group.y);
    let left = i32(TILE * group.x);
    var total = 0.0;
    for (var ch = 0u; ch < params.ch; ch++) {
        var i = me;
        while (i < 324u) {
            let y = top + i32(i / 18u);
            let xx = left + i32(i % 18u);
            let inside = y >= 0 && xx >= 0 && y < i32(params.h) && xx < i32(params.w);
            if (inside) {
                patch_of[i] = x[(ch * params.h + u32(y)) * params.w + u32(xx)];
            } else {
                patch_of[i] = 0.0;
            }
            i += 256u;
        }
        workgroupBarrier();
        for (var j = 0u; j < 9u; j++) {
            total += patch_of[(local.y + j / 3u) * 18u + local.x + j % 3u] * weights[ch * 9u + j];
        }
        workgroupBarrier();
    }
    let r = TILE * group.y + local.y;
    let c = TILE * group.x + local.x;
    if (r < params.h && c < params.w) { out[r * params.w + c] = total; }
}
