// goals: writes each result once
// way: The distance is an i32: below 0 for letters that don't exist yet.
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
    let key = (id.x * heads + head) * params.d;
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[query + i] * k[key + i];
    }
    let slope = exp2(-8.0 * f32(head + 1u) / f32(heads));
    let back = i32(id.y) - i32(id.x);
    let here = (head * params.t + id.y) * params.t + id.x;
    if (back < 0) {
        s[here] = -1e30;
    } else {
        s[here] = sum * inverseSqrt(f32(params.d)) - f32(back) * slope;
    }
}
