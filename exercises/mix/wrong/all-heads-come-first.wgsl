// diagnosis: all-heads-mixed-up
// title: Heads are mixed up: your shader assumes that v and out have a matrix for each head.
// why: Only p is stored like that. In v and out, the heads of one token are side by side.
// ask: With 2 heads of 3 numbers, which token and head does v[3] belong to?
// Head, token, number: everywhere.
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
        sum += p[(head * params.t + id.y) * params.t + j] * v[(head * params.t + j) * params.d + id.x];
    }
    out[(head * params.t + id.y) * params.d + id.x] = sum;
}
