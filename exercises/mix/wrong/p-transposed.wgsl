// diagnosis: wrong-axis
// title: p was read along the wrong axis: down a column instead of along a row.
// why: Row i of p holds the shares that token i takes. In a network, softmax makes each row add up to
//   1. A column holds what all tokens take from one; it can add up to anything.
// ask: Which of the two indices of p is the token that takes?
// Row j has the share of this token.
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
    for (var j = 0u; j < params.t; j++) {
        sum += p[(head * params.t + j) * params.t + id.y] * v[(j * heads + head) * params.d + id.x];
    }
    out[(id.y * heads + head) * params.d + id.x] = sum;
}
