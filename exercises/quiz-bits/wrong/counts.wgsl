// diagnosis: counts
// title: The words hold how many elements are above the threshold.
// why: Each element added 1, wherever it was. A word should also say which elements they are.
// ask: By how many places does the 1 of element b have to move?
// One for each element above.
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
            word += 1u;
        }
    }
    out[i] = word;
}
