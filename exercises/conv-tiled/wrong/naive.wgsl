// diagnosis: no-workgroup-memory
// title: The values are right, but your shader shares nothing in workgroup memory.
// why: 9 invocations fetch each pixel of x. One of them could fetch it, and all could use it.
// ask: Which kind of variable can all invocations of a workgroup see, but none outside of it?
// The shader from before is right.
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

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = TILE * group.y + local.y;
    let col = TILE * group.x + local.x;
    var sum = 0.0;
    for (var c = 0u; c < params.ch; c++) {
        for (var dy = 0u; dy < 3u; dy++) {
            for (var dx = 0u; dx < 3u; dx++) {
                sum += weights[9u * c + 3u * dy + dx] * pixel(c, i32(row + dy) - 1, i32(col + dx) - 1);
            }
        }
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
