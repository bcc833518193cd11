// The bug is in this line: total = (total + weight) * repair;
//
// The weight of this key was made with the new maximum, so it needs no repair. Only the sums
// before it do.
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
    let head = id.z;
    if (id.x >= params.t) {
        return;
    }
    let query = (id.x * heads + head) * params.d;
    var largest = -3.4028234e+38;
    var total = 0.0;
    var mixed: array<f32, MOST>;
    for (var j = 0u; j < params.t; j++) {
        let key = (j * heads + head) * params.d;
        var score = 0.0;
        for (var i = 0u; i < params.d; i++) {
            score += q[query + i] * k[key + i];
        }
        score /= sqrt(f32(params.d));
        let larger = max(largest, score);
        let repair = exp(largest - larger);
        let weight = exp(score - larger);
        total = total * repair + weight;
        for (var i = 0u; i < params.d; i++) {
            mixed[i] = mixed[i] * repair + weight * v[key + i];
        }
        largest = larger;
    }
    for (var i = 0u; i < params.d; i++) {
        out[query + i] = mixed[i] / total;
    }
}
