// diagnosis: local-id
// title: Only a corner of each square was written.
// why: local_invocation_id starts again at (0, 0) in every workgroup. So all workgroups of a head
//   worked on the same corner.
// ask: Which builtin keeps counting from one workgroup to the next, in x and in y?
// The workgroup is the square.
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // t × heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> s: array<f32>; // heads × t × t

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let heads = groups.z;
    let id = vec3<u32>(local.xy, group.z);
    let head = id.z;
    if (id.x >= params.t || id.y >= params.t) {
        return;
    }
    let query = (id.y * heads + head) * params.d;
    let key = (id.x * heads + head) * params.d;
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[query + i] * k[key + i];
    }
    s[(head * params.t + id.y) * params.t + id.x] = sum / sqrt(f32(params.d));
}
