// mix: each token gets the values of all tokens, mixed by its row of p, for all heads.
//
// p has a square for each head. Its row says how much a token takes from each token,
// and adds up to 1: softmax made it from the scores. So a head's part of out is the
// product p · v, with the part of v that belongs to this head.
//
// In v and out, the heads of a token are side by side: out has the shape that the
// next layer needs, a row of heads · d numbers for each token.
//
// One invocation computes one number: id.x is its place in the head, id.y the token,
// id.z the head. The workgroups are 1 deep, so there are as many of them in z as heads.

struct Params {
    t: u32,
    d: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> p: array<f32>; // heads × t × t
@group(0) @binding(2) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // t × heads × d

@compute @workgroup_size(8, 8)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let i = id.x;
    let row = id.y;
    let head = id.z;
    let heads = groups.z;
    if (i >= params.d || row >= params.t) {
        return;
    }
    let weights = (head * params.t + row) * params.t; // where the row begins in p
    var sum = 0.0;
    for (var column = 0u; column < params.t; column++) {
        sum += p[weights + column] * v[(column * heads + head) * params.d + i];
    }
    out[(row * heads + head) * params.d + i] = sum;
}
