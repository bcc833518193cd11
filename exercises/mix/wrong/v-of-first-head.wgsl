// diagnosis: first-head-of-v
// title: All heads took the values of the first one.
// why: Your index into v doesn't use the head.
// ask: Where in a token do the numbers of head 1 begin?
// A token begins at its row.
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
        sum += p[(head * params.t + id.y) * params.t + j] * v[j * heads * params.d + id.x];
    }
    out[(id.y * heads + head) * params.d + id.x] = sum;
}
