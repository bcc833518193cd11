// attention-online: scores, softmax and mix in one walk, and no score is ever stored.
//
// An invocation has one query. It walks along the keys, and keeps three things: the
// largest score so far, the total of all exp(score - largest), and the values mixed
// with these weights, not yet divided by the total.
//
// When a larger score comes, everything was computed with the wrong maximum. But
// exp(score - new) is exp(score - old) · exp(old - new): so one factor repairs the total
// and the mixed values. The sums are right after each key, as if there were no more.
//
// id.x is the query's token, id.z the head. The workgroups are 1 deep in z.

const MOST = 32u; // d is at most this
const LOWEST = -3.4028234e+38; // the lowest f32

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
    let row = id.x;
    let head = id.z;
    let heads = groups.z;
    if (row >= params.t) {
        return;
    }
    let query = (row * heads + head) * params.d; // where it begins in q, and in out
    var largest = LOWEST;
    var total = 0.0;
    var mixed: array<f32, MOST>;
    for (var column = 0u; column < params.t; column++) {
        let key = (column * heads + head) * params.d;
        var sum = 0.0;
        for (var i = 0u; i < params.d; i++) {
            sum += q[query + i] * k[key + i];
        }
        let score = sum / sqrt(f32(params.d));
        let new_largest = max(largest, score);
        let repair = exp(largest - new_largest);
        let weight = exp(score - new_largest);
        total = total * repair + weight;
        for (var i = 0u; i < params.d; i++) {
            mixed[i] = mixed[i] * repair + weight * v[key + i];
        }
        largest = new_largest;
    }
    for (var i = 0u; i < params.d; i++) {
        out[query + i] = mixed[i] / total;
    }
}
