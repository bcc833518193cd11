// goals: none
// way: Two walks: one for the largest score, and one for everything else.
const MOST = 32u; // d is at most this
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // t × heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // t × heads × d

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let d = params.d;
    let query = (id.x * groups.z + id.z) * d;
    if (id.x >= params.t) {
        return;
    }
    var largest = -3.4028234e+38;
    for (var j = 0u; j < params.t; j++) {
        largest = max(largest, score(query, (j * groups.z + id.z) * d));
    }
    var total = 0.0;
    var mixed: array<f32, MOST>;
    for (var j = 0u; j < params.t; j++) {
        let key = (j * groups.z + id.z) * d;
        let weight = exp(score(query, key) - largest);
        total += weight;
        for (var i = 0u; i < d; i++) {
            mixed[i] += weight * v[key + i];
        }
    }
    for (var i = 0u; i < d; i++) {
        out[query + i] = mixed[i] / total;
    }
}

fn score(query: u32, key: u32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[query + i] * k[key + i];
    }
    return sum * inverseSqrt(f32(params.d));
}
