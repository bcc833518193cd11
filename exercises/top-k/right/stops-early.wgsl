// goals: writes each result once
// way: The loop ends when k scores are ahead.
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
    var left = params.k;
    for (var j = 0u; j < params.n && left > 0u; j++) {
        if (scores[j] > score || (scores[j] == score && j < id.x)) {
            left--;
        }
    }
    out[id.x] = select(-1e30, score, left > 0u);
}
