// attend: the newest letter looks back at all letters so far, and takes from each what it needs.
//
// It gives what causal-scores, softmax and mix give for the last row. A model needs no other
// row to write the next letter. The keys and values of the earlier letters are
// in the caches: append has put them there. The caches have room for more letters, so only
// their first t rows count.
//
// One workgroup computes one head. Each of its invocations computes the scores of some keys. Two
// trees find the largest score and the total of all weights. Then each invocation mixes one number
// of the values.

const SIZE = 64u; // a power of two
const MOST = 1024u; // t is at most this
const LOWEST = -3.4028234e+38; // the lowest f32

struct Params {
    t: u32, // letters so far, with the newest
    d: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // rows × heads × d
@group(0) @binding(3) var<storage, read> v: array<f32>; // rows × heads × d
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // heads × d

var<workgroup> weights: array<f32, MOST>; // the scores at first
var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let head = group.x;
    let heads = groups.x;
    let query = head * params.d; // where it begins in q, and in out
    let slope = exp2(-8.0 * f32(head + 1u) / f32(heads));

    // The score of each key, and the largest of them.
    var largest = LOWEST;
    for (var j = me; j < params.t; j += SIZE) {
        let key = (j * heads + head) * params.d;
        var sum = 0.0;
        for (var i = 0u; i < params.d; i++) {
            sum += q[query + i] * k[key + i];
        }
        let back = params.t - 1u - j; // letters from the newest to this one
        weights[j] = sum / sqrt(f32(params.d)) - slope * f32(back);
        largest = max(largest, weights[j]);
    }
    partial[me] = largest;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
    }
    workgroupBarrier();
    largest = partial[0];
    workgroupBarrier(); // all have read it: partial is free again

    // The weight of each key, and the total of them.
    var total = 0.0;
    for (var j = me; j < params.t; j += SIZE) {
        weights[j] = exp(weights[j] - largest);
        total += weights[j];
    }
    partial[me] = total;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    total = partial[0];

    // The mean of the values: each invocation has a number of its own.
    for (var i = me; i < params.d; i += SIZE) {
        var mixed = 0.0;
        for (var j = 0u; j < params.t; j++) {
            mixed += weights[j] * v[(j * heads + head) * params.d + i];
        }
        out[query + i] = mixed / total;
    }
}
