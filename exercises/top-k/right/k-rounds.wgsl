// goals: none
// way: It finds the best, then the next best, until k are found or it is the turn of its own score.
struct Params {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // n

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    out[id.x] = -1e30;
    var last = params.n; // the one found in the round before
    for (var round = 0u; round < min(params.k, params.n); round++) {
        var best = params.n;
        for (var j = 0u; j < params.n; j++) {
            let later = last == params.n || scores[j] < scores[last] || (scores[j] == scores[last] && j > last);
            if (later && (best == params.n || scores[j] > scores[best])) {
                best = j;
            }
        }
        if (best == id.x) {
            out[id.x] = scores[id.x];
            return;
        }
        last = best;
    }
}
