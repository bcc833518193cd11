// goals: coalesced; writes each result once
// way: Two places that walk: one along the row of p, one from token to token in v.
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> p: array<f32>; // heads × t × t
@group(0) @binding(2) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // t × heads × d

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let width = groups.z * params.d; // numbers of a token
    let place = id.z * params.d + id.x; // in a token
    if (id.x >= params.d || id.y >= params.t) {
        return;
    }
    var from_p = (id.z * params.t + id.y) * params.t;
    var from_v = place;
    var sum = 0.0;
    for (var left = params.t; left > 0u; left--) {
        sum = fma(p[from_p], v[from_v], sum);
        from_p++;
        from_v += width;
    }
    out[id.y * width + place] = sum;
}
