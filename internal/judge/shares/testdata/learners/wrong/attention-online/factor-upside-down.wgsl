// attention-online: scores, softmax and mix of one query in one walk along the keys;
// id.x is the token of the query, id.z the head
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
    if (id.x < params.t) {
        let row = (id.x * groups.z + id.z) * params.d;
        var largest = -3.4028234e38;
        var sum = 0.0;
        var acc: array<f32, 32>;
        for (var key = 0u; key < params.t; key++) {
            let at = (key * groups.z + id.z) * params.d;
            var s = 0.0;
            for (var i = 0u; i < params.d; i++) { s += q[row + i] * k[at + i]; }
            s *= inverseSqrt(f32(params.d));
            let best = max(s, largest);
            let f = exp(min(best - largest, 80.0));
            let e = exp(s - best);
            sum = sum * f + e;
            for (var i = 0u; i < params.d; i++) { acc[i] = acc[i] * f + e * v[at + i]; }
            largest = best;
        }
        for (var i = 0u; i < params.d; i++) { out[row + i] = acc[i] / sum; }
    }
}
