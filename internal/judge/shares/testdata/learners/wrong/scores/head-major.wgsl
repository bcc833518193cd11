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
    let key = id.x;
    let query = id.y;
    let head = id.z;
    if (key < params.t) {
        if (query < params.t) {
            let a = (head * params.t + query) * params.d;
            let b = (head * params.t + key) * params.d;
            var total = 0.0;
            for (var i = 0u; i < params.d; i++) { total += q[a + i] * k[b + i]; }
            s[(head * params.t + query) * params.t + key] = total / sqrt(f32(params.d));
        }
    }
}
