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
    let n = params.t;
    let d = params.d;
    if (id.x < n) {
        let a = (id.x * groups.z + id.z) * d;
        var old = -3.4028234e38;
        var total = 0.0;
        var mixed: array<f32, MOST>;
        for (var j = 0u; j < n; j++) {
            let b = (j * groups.z + id.z) * d;
            var s = 0.0;
            for (var i = 0u; i < d; i++) { s = fma(q[a + i], k[b + i], s); }
            s = s / sqrt(f32(d));
            let fresh = max(old, s);
            let factor = exp(old - fresh);
            let share = exp(s - fresh);
            total = total * factor + share;
            for (var i = 0u; i < d; i++) {
                mixed[i] = mixed[i] * factor + share * v[b + i];
            }
        }
        for (var i = 0u; i < d; i++) { out[a + i] = mixed[i] / total; }
    }
}
