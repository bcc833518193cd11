// diagnosis: heads-mixed-up
// title: Heads are mixed up: q and k were read as if each head had a matrix of its own.
// why: Only s is stored like that. In q and k, the heads of one token are side by side: linear made
//   them as one row for each token.
// ask: With 2 heads of 3 numbers, which token and head does q[3] belong to?
// Each head has its own matrix.
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
    let query = (head * params.t + id.y) * params.d;
    let key = (head * params.t + id.x) * params.d;
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[query + i] * k[key + i];
    }
    s[(head * params.t + id.y) * params.t + id.x] = sum / sqrt(f32(params.d));
}
