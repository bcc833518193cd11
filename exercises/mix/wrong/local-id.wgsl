// diagnosis: local-id
// title: Only the first tokens and numbers of each head were written.
// why: local_invocation_id starts again at (0, 0) in every workgroup. So all workgroups of a head
//   worked on the same corner.
// ask: Which builtin keeps counting from one workgroup to the next, in x and in y?
// The workgroup is the head.
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> p: array<f32>; // heads × t × t
@group(0) @binding(2) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // t × heads × d

@compute @workgroup_size(8, 8)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let heads = groups.z;
    let id = vec3<u32>(local.xy, group.z);
    let head = id.z;
    if (id.x >= params.d || id.y >= params.t) {
        return;
    }
    var sum = 0.0;
    for (var j = 0u; j < params.t; j++) {
        sum += p[(head * params.t + id.y) * params.t + j] * v[(j * heads + head) * params.d + id.x];
    }
    out[(id.y * heads + head) * params.d + id.x] = sum;
}
