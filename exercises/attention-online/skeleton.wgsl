// attention-online: scores, softmax and mix of one query in one walk along the keys;
// x counts the tokens of the queries, z the heads
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

// Your lines go here: main.
