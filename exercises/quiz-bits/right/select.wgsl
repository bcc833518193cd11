// goals: writes each result once
// way: It adds up powers of two instead of setting bits.
struct Params {
    n: u32,
    threshold: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let words = (params.n + 31u) / 32u;
    if (id.x >= words) {
        return;
    }
    let start = id.x * 32u;
    let end = min(start + 32u, params.n);
    var word = 0u;
    var value = 1u;
    for (var at = start; at < end; at++) {
        word += select(0u, value, x[at] > params.threshold);
        value *= 2u;
    }
    out[id.x] = word;
}
