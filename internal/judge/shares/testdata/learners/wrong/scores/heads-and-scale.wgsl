// scores: for each head, each query times each key, divided by the root of d;
// id.x is the key, id.y the query, id.z the head
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
    let heads = groups.x;
    let n = params.t;
    if (id.x < n && id.y < n) {
        var dotp = 0.0;
        for (var i = 0u; i < params.d; i++) {
            dotp += q[id.y * heads * params.d + id.z * params.d + i] * k[id.x * heads * params.d + id.z * params.d + i];
        }
        s[id.z * n * n + id.y * n + id.x] = dotp;
    }
}
