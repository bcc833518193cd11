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
    if (id.x < params.t && id.y < params.t) {
        let qa = (id.y * groups.z + id.z) * params.d;
        let ka = (id.x * groups.z + id.z) * params.d;
        var sum = 0.0;
        for (var i = 0u; i < params.d; i++) { sum += q[qa + i] * k[ka + i]; }
        s[(id.z * params.t + id.y) * params.t + id.x] = sum / sqrt(params.d);
    }
}
