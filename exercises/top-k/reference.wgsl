// top-k: only the k largest scores keep a chance.
//
// Even a very unlikely letter is chosen now and then, and there are many of them. So a
// model often chooses only from its best k. The others get a score that softmax turns into 0.
//
// A score is among the best k if fewer than k are ahead of it. Each invocation counts for one
// score. Of equal scores, the one with the smaller index is ahead, so exactly k are kept.

const NEVER = -1e30; // the score of a letter without a chance

struct Params {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // n

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let score = scores[i];
    var ahead = 0u;
    for (var j = 0u; j < params.n; j++) {
        if (scores[j] > score || (scores[j] == score && j < i)) {
            ahead++;
        }
    }
    out[i] = select(NEVER, score, ahead < params.k);
}
