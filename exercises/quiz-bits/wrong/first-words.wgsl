// diagnosis: first-words
// title: Every word was made from the first 32 elements.
// why: Your index into x doesn't use the number of the word.
// ask: With which element of x does word 1 begin?
// b is the number of the element.
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
        let at = b;
        if (at < params.n && x[at] > params.threshold) {
            word |= 1u << b;
        }
    }
    out[i] = word;
}
