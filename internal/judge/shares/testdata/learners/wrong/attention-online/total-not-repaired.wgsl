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
    let heads = groups.z;
    let d = params.d;
    if (id.x >= params.t) { return; }
    let mine = (id.x * heads + id.z) * d;
    var top = -3.4028234e38;
    var total = 0.0;
    var mixed: array<f32, MOST>;
    for (var j = 0u; j < params.t; j++) {
        let other = (j * heads + id.z) * d;
        var score = 0.0;
        for (var i = 0u; i < d; i++) { score += q[mine + i] * k[other + i]; }
        score /= sqrt(f32(d));
        let next = max(top, score);
        let repair = exp(top - next);
        let weight = exp(score - next);
        total += weight;
        for (var i = 0u; i < d; i++) { mixed[i] = mixed[i] * repair + weight * v[other + i]; }
        top = next;
    }
    for (var i = 0u; i < d; i++) { out[mine + i] = mixed[i] / total; }
}
