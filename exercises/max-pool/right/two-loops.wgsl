// goals: coalesced
// way: Two loops over the square, beginning at the lowest number that a float can hold.
struct Params {
    w: u32,
    h: u32,
    ch: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // ch pictures, each h / 2 rows of w / 2

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let w = params.w / 2u;
    let size = w * (params.h / 2u);
    if (id.x < size && id.y < params.ch) {
        var best = -3.4e38;
        for (var dy = 0u; dy < 2u; dy++) {
            for (var dx = 0u; dx < 2u; dx++) {
                let row = 2u * (id.x / w) + dy;
                let col = 2u * (id.x % w) + dx;
                best = max(best, x[id.y * params.w * params.h + row * params.w + col]);
            }
        }
        out[id.y * size + id.x] = best;
    }
}
