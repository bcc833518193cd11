// scores: how well each query fits each key, for all heads: s = q · kᵀ / √d.
//
// Each of t tokens has a query and a key of d numbers, in each head. The score of
// a query and a key is the sum of the products of their numbers. The more numbers
// there are, the larger such sums get; dividing by √d keeps them in one range, so
// that the softmax after it doesn't give everything to one token.
//
// In q and k, the heads of a token are side by side. In s, each head has a square of
// its own: a row for each query, a column for each key.
//
// One invocation computes one score: id.x is the key, id.y the query, id.z the head.
// The workgroups are 1 deep, so there are as many of them in z as heads.

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
    let query = (row * heads + head) * params.d; // where it begins in q
    let key = (column * heads + head) * params.d;
    var sum = 0.0;
    for (var i = 0u; i < params.d; i++) {
        sum += q[query + i] * k[key + i];
    }
    s[(head * params.t + row) * params.t + column] = sum / sqrt(f32(params.d));
}
