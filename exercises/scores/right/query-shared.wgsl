// goals: coalesced; writes each result once
// way: The numbers of 16 queries go through workgroup memory.
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // t × heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> s: array<f32>; // heads × t × t

var<workgroup> queries: array<array<f32, 8>, 16>; // 8 numbers at a time

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let heads = groups.z;
    let query = (min(id.y, params.t - 1u) * heads + id.z) * params.d;
    let key = (min(id.x, params.t - 1u) * heads + id.z) * params.d;
    var sum = 0.0;
    for (var first = 0u; first < params.d; first += 8u) {
        let count = min(8u, params.d - first);
        if (local.x < count) {
            queries[local.y][local.x] = q[query + first + local.x];
        }
        workgroupBarrier();
        for (var i = 0u; i < count; i++) {
            sum += queries[local.y][i] * k[key + first + i];
        }
        workgroupBarrier();
    }
    if (id.x < params.t && id.y < params.t) {
        s[(id.z * params.t + id.y) * params.t + id.x] = sum / sqrt(f32(params.d));
    }
}
