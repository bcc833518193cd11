// attention-online: scores, softmax and mix of one query in one walk along the keys;
// id.x is the token of the query, id.z the head
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
    if (id.x < params.t) {
        let d = params.d;
        let scale = 1.0 / sqrt(f32(d));
        let mine = (id.x * groups.z + id.z) * d;
        var best = -3.4028234e38;
        var total = 0.0;
        var mixed: array<f32, MOST>;
        var j = params.t;
        loop {
            if (j == 0u) { break; }
            j--;
            let at = (j * groups.z + id.z) * d;
            var s = 0.0;
            for (var i = 0u; i < d; i++) { s += q[mine + i] * scale * k[at + i]; }
            if (s > best) {
                let f = exp(best - s);
                total *= f;
                for (var i = 0u; i < d; i++) { mixed[i] *= f; }
                best = s;
            }
            let w = exp(s - best);
            total += w;
            for (var i = 0u; i < d; i++) { mixed[i] += w * v[at + i]; }
        }
        for (var i = 0u; i < d; i++) { out[mine + i] = mixed[i] / total; }
    }
}
