// causal-scores: scores for a text that is being written, for all heads.
//
// Each letter asks with its query, and each letter answers with its key, as in lesson 13.
// Two things are new.
//
// A letter sees no letter after it: when the network writes, those don't exist yet. Their
// score is so low that softmax makes it 0 (Vaswani et al., "Attention Is All You Need", 2017).
//
// A score alone doesn't know how far apart two letters are. So each step back costs something:
// the slope of the head. With 8 heads the slopes are 1/2, 1/4, … 1/256. So some heads look
// at the last few letters, and others far back. The idea is from Press, Smith and Lewis,
// "Train Short, Test Long", 2021.
//
// One invocation computes one score: id.x is the key, id.y the query, id.z the head.
// The workgroups are 1 deep, so there are as many of them in z as heads.

const HIDDEN = -1e30; // the score of a letter that isn't there yet

struct Params {
    t: u32,
    d: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // t × heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> s: array<f32>; // heads × t × t

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let column = id.x;
    let row = id.y;
    let head = id.z;
    let heads = groups.z;
    if (column >= params.t || row >= params.t) {
        return;
    }
    let here = (head * params.t + row) * params.t + column;
    if (column > row) {
        s[here] = HIDDEN;
        return;
    }
    let query = (row * heads + head) * params.d; // where it begins in q
    let key = (column * heads + head) * params.d;
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[query + i] * k[key + i];
    }
    let slope = exp2(-8.0 * f32(head + 1u) / f32(heads));
    s[here] = sum / sqrt(f32(params.d)) - slope * f32(row - column);
}
