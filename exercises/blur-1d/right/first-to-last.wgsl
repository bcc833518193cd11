// goals: coalesced
// way: The loop runs from the first place inside to the last, so it has no `if`.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    let first = max(id.x, 2u) - 2u;
    let last = min(id.x + 2u, params.n - 1u);
    var sum = 0.0;
    for (var at = first; at <= last; at++) {
        sum += k[at + 2u - id.x] * x[at];
    }
    out[id.x] = sum;
}
