// goals: coalesced; writes each result once
// way: One stride from token to token, and one from head to head.
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
    let t = params.t;
    let stride = groups.z * params.d; // from one token to the next
    if (all(id.xy < vec2(t))) {
        var from_q = id.y * stride + id.z * params.d;
        var from_k = id.x * stride + id.z * params.d;
        var sum = 0.0;
        for (var left = params.d; left > 0u; left--) {
            sum = fma(q[from_q], k[from_k], sum);
            from_q++;
            from_k++;
        }
        s[id.z * t * t + id.y * t + id.x] = sum * inverseSqrt(f32(params.d));
    }
}
