// diagnosis: largest-share
// title: Each token took the values of one token only, the one with the largest share.
// why: Attention mixes: each token counts in proportion to its share.
// ask: What should the result be if two tokens have a share of 0.5 each?
// It looks at one token.
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> p: array<f32>; // heads × t × t
@group(0) @binding(2) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // t × heads × d

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let heads = groups.z;
    let head = id.z;
    if (id.x >= params.d || id.y >= params.t) {
        return;
    }
    var sum = 0.0;
    var most = -1.0;
    for (var j = 0u; j < params.t; j++) {
        if (p[(head * params.t + id.y) * params.t + j] > most) {
            most = p[(head * params.t + id.y) * params.t + j];
            sum = v[(j * heads + head) * params.d + id.x];
        }
    }
    out[(id.y * heads + head) * params.d + id.x] = sum;
}
