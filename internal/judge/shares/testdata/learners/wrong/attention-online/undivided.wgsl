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

fn score(a: u32, b: u32) -> f32 {
    var s = 0.0;
    for (var i = 0u; i < params.d; i++) { s += q[a + i] * k[b + i]; }
    return s / sqrt(f32(params.d));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    if (id.x >= params.t) { return; }
    let stride = groups.z * params.d;
    let mine = id.x * stride + id.z * params.d;
    var hi = -3.4028234e38;
    var total = 0.0;
    var o: array<f32, MOST>;
    var at = id.z * params.d;
    for (var left = params.t; left > 0u; left--) {
        let s = score(mine, at);
        let now = max(hi, s);
        let fix = exp(hi - now);
        let w = exp(s - now);
        hi = now;
        total = total * fix + w;
        for (var i = 0u; i < params.d; i++) { o[i] = o[i] * fix + w * v[at + i]; }
        at += stride;
    }
    for (var i = 0u; i < params.d; i++) {
        out[mine + i] = o[i];
    }
}
