// diagnosis: not-the-largest
// title: The number that was subtracted from the scores is not the largest so far.
// why: A later score may be far above it. Then exp of their difference is more than an f32 can hold.
// ask: Which number does your shader subtract if the first score is -100 and the second is 100?
// Any score will do, so that the numbers stay small.
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
        if (column == 0u) {
            largest = score;
        }
        let weight = exp(score - largest);
        total += weight;
        for (var i = 0u; i < params.d; i++) {
            mixed[i] += weight * v[key + i];
        }
    }
    for (var i = 0u; i < params.d; i++) {
        out[query + i] = mixed[i] / total;
    }
}
