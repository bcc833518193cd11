// diagnosis: swapped-ids
// title: Your shader takes id.x for the token and id.y for the number in the head.
// why: The host covers the d numbers with x and the t tokens with y. Where the two differ, some
//   elements stay unwritten.
// ask: With 9 tokens and d = 33, are there more invocations in x or in y?
// x is the token.
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
    if (id.y >= params.d || id.x >= params.t) {
        return;
    }
    var sum = 0.0;
    for (var j = 0u; j < params.t; j++) {
        sum += p[(head * params.t + id.x) * params.t + j] * v[(j * heads + head) * params.d + id.y];
    }
    out[(id.x * heads + head) * params.d + id.y] = sum;
}
