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
    if (id.x >= params.t) { return; }
    let me = (id.x * groups.z + id.z) * params.d;
    var m = 0.0;
    var l = 0.0;
    var acc: array<f32, MOST>;
    for (var j = 0u; j < params.t; j++) {
        let b = (j * groups.z + id.z) * params.d;
        var s = 0.0;
        for (var i = 0u; i < params.d; i++) {
            s += q[me + i] * k[b + i];
        }
        let m2 = max(m, s);
        let f = exp(m - m2);
        let p = exp(s - m2);
        l = l * f + p;
        for (var i = 0u; i < params.d; i++) { acc[i] = acc[i] * f + p * v[b + i]; }
        m = m2;
    }
    for (var i = 0u; i < params.d; i++) { out[me + i] = acc[i] / l; }
}
