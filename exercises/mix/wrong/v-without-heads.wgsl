// diagnosis: heads-forgotten
// title: v was read as if a token had only d numbers.
// why: That is right for one head. With several, a token has heads · d numbers.
// ask: With 2 heads of 3 numbers, where does token 1 begin?
// d numbers for each token.
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
        sum += p[(head * params.t + id.y) * params.t + j] * v[j * params.d + id.x];
    }
    out[(id.y * heads + head) * params.d + id.x] = sum;
}
