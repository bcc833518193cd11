// goals: coalesced; writes each result once
// way: Two sums, for even and for odd tokens, so that neither waits for the other.
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
    let t = params.t;
    let width = groups.z * params.d;
    let place = id.z * params.d + id.x;
    if (id.x < params.d && id.y < t) {
        let row = (id.z * t + id.y) * t;
        var sums = vec2<f32>();
        for (var j = 0u; j + 1u < t; j += 2u) {
            sums += vec2(p[row + j], p[row + j + 1u]) * vec2(v[j * width + place], v[(j + 1u) * width + place]);
        }
        if (t % 2u == 1u) {
            sums.x += p[row + t - 1u] * v[(t - 1u) * width + place];
        }
        out[id.y * width + place] = sums.x + sums.y;
    }
}
