// diagnosis: highest-first
// title: The bits of each word are in reverse order.
// why: Bit 0 is the lowest one. Your shader put the first element into the highest bit.
// ask: If only x[0] is above the threshold, which number should out[0] be?
// The first element is the first bit from the left.
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
            word |= 1u << (31u - b);
        }
    }
    out[i] = word;
}
