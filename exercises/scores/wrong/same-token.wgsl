// diagnosis: same-token
// title: Each query met only the key of its own token.
// why: All scores of a row are the same. The column has to choose the key.
// ask: Which of the two tokens is the number of the column?
// The query of a token meets its key.
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
    let key = (id.y * heads + head) * params.d;
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[query + i] * k[key + i];
    }
    s[(head * params.t + id.y) * params.t + id.x] = sum / sqrt(f32(params.d));
}
