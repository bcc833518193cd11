// diagnosis: first-block
// title: Each score was compared only with its block of 64.
// why: The best k of each block are more than k. A score has to be among the best of all.
// ask: Which scores can be ahead of the one at index 70?
// A workgroup compares its scores.
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
    let score = scores[id.x];
    var ahead = 0u;
    let start = id.x / 64u * 64u;
    for (var j = start; j < min(start + 64u, params.n); j++) {
        if (scores[j] > score || (scores[j] == score && j < id.x)) {
            ahead++;
        }
    }
    if (ahead < params.k) {
        out[id.x] = score;
    } else {
        out[id.x] = -1e30;
    }
}
