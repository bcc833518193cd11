// goals: writes each result once
// It begins with all bits and clears those that do not count.
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
    if (id.x >= arrayLength(&out)) {
        return;
    }
    var word = 0xffffffffu;
    for (var b = 0u; b < 32u; b++) {
        let at = id.x * 32u + b;
        if (at >= params.n) {
            word &= ~(1u << b);
        } else if (x[at] <= params.threshold) {
            word &= ~(1u << b);
        }
    }
    out[id.x] = word;
}
