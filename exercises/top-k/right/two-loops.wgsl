// goals: writes each result once
// way: Before the own index, equal scores count; after it they don't.
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
    for (var j = 0u; j < id.x; j++) {
        ahead += u32(scores[j] >= score);
    }
    for (var j = id.x + 1u; j < params.n; j++) {
        ahead += u32(scores[j] > score);
    }
    out[id.x] = select(-1e30, score, ahead < params.k);
}
