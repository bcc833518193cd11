// diagnosis: heads-interleaved
// title: Heads are mixed up: their numbers were taken in turns.
// why: A token has all d numbers of head 0 first, then all of head 1. You took number 0 of each
//   head, then number 1 of each.
// ask: With 2 heads of 3 numbers, which head does q[1] belong to?
// Number i of all heads, then number i + 1.
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // t × heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> s: array<f32>; // heads × t × t

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let heads = groups.z;
    let head = id.z;
    if (id.x >= params.t || id.y >= params.t) {
        return;
    }
    let query = (id.y * heads + head) * params.d;
    let key = (id.x * heads + head) * params.d;
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[(id.y * params.d + i) * heads + head] * k[(id.x * params.d + i) * heads + head];
    }
    s[(head * params.t + id.y) * params.t + id.x] = sum / sqrt(f32(params.d));
}
