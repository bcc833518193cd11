// diagnosis: newest-left-out
// title: The newest letter doesn't look at itself.
// why: Its key and value are in the caches as well, in row t - 1.
// ask: Which row of the caches belongs to the newest letter?
// It looks at the letters before it.
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

var<workgroup> weights: array<f32, MOST>;
var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let head = group.x;
    let heads = groups.x;
    let query = head * params.d;
    let slope = exp2(-8.0 * f32(head + 1u) / f32(heads));
    var mine = -3.4028234e+38;
    for (var j = me; j < params.t - 1u; j += SIZE) {
        let key = (j * heads + head) * params.d;
        var sum = 0.0;
        for (var i = 0u; i < params.d; i++) {
            sum += q[query + i] * k[key + i];
        }
        let score = sum / sqrt(f32(params.d)) - slope * f32(params.t - 1u - j);
        weights[j] = score;
        mine = max(mine, score);
    }
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
    }
    workgroupBarrier();
    let largest = partial[0];
    workgroupBarrier();

    mine = 0.0;
    for (var j = me; j < params.t - 1u; j += SIZE) {
        let weight = exp(weights[j] - largest);
        weights[j] = weight;
        mine += weight;
    }
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    let total = partial[0];

    for (var i = me; i < params.d; i += SIZE) {
        var mixed = 0.0;
        for (var j = 0u; j < params.t - 1u; j++) {
            mixed += weights[j] * v[(j * heads + head) * params.d + i];
        }
        out[query + i] = mixed / total;
    }
}
