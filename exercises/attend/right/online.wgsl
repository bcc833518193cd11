// goals: coalesced values; few barriers
// way: Online softmax: each invocation walks along the keys once with its own number of the values.
const SIZE = 64u;
const MOST = 1024u; // t is at most this; d is at most 64
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // rows × heads × d
@group(0) @binding(3) var<storage, read> v: array<f32>; // rows × heads × d
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // heads × d

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let head = group.x;
    let heads = groups.x;
    if (me >= params.d) {
        return;
    }
    let query = head * params.d;
    let slope = exp2(-8.0 * f32(head + 1u) / f32(heads));
    var largest = -3.4028234e+38;
    var total = 0.0;
    var mixed = 0.0;
    for (var j = 0u; j < params.t; j++) {
        let key = (j * heads + head) * params.d;
        var sum = 0.0;
        for (var i = 0u; i < params.d; i++) {
            sum += q[query + i] * k[key + i];
        }
        let score = sum / sqrt(f32(params.d)) - slope * f32(params.t - 1u - j);
        let larger = max(largest, score);
        let repair = exp(largest - larger);
        let weight = exp(score - larger);
        total = total * repair + weight;
        mixed = mixed * repair + weight * v[key + me];
        largest = larger;
    }
    out[query + me] = mixed / total;
}
