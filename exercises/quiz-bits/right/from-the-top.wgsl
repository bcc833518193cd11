// goals: writes each result once
// way: It begins with the highest bit, and shifts the word to the left in each step.
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
    if (id.x * 32u >= params.n) {
        return;
    }
    var word = 0u;
    for (var b = 32u; b > 0u; b--) {
        word <<= 1u;
        let at = id.x * 32u + b - 1u;
        if (at < params.n) {
            word |= u32(x[at] > params.threshold);
        }
    }
    out[id.x] = word;
}
