// diagnosis: by-magnitude
// title: Scores were compared without their sign.
// why: A score of -8 is less than one of 3. A letter with a very negative score is very unlikely.
// ask: Which letter is more likely: one with the score -8, or one with 3?
// Large ones are ahead.
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
    for (var j = 0u; j < params.n; j++) {
        if (abs(scores[j]) > abs(score) || (scores[j] == score && j < id.x)) {
            ahead++;
        }
    }
    if (ahead < params.k) {
        out[id.x] = score;
    } else {
        out[id.x] = -1e30;
    }
}
