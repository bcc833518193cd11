// goals: none
// way: One loop counts, and an if decides.
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
