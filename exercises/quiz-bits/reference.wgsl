// quiz-bits: bit b of out[i] is 1 where x[32 * i + b] is above the threshold, for n elements of x.
//
// One invocation makes one word, from 32 elements. The word grows in a variable of its own and
// goes to memory once. The last word may have fewer elements; its other bits stay 0.

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
    let i = id.x;
    if (i >= arrayLength(&out)) {
        return;
    }
    var word = 0u;
    for (var b = 0u; b < 32u; b++) {
        let at = 32u * i + b;
        if (at < params.n && x[at] > params.threshold) {
            word |= 1u << b;
        }
    }
    out[i] = word;
}
