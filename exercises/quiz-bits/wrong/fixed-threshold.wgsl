// diagnosis: fixed-threshold
// title: The threshold is written into the shader.
// why: The host decides on the threshold and passes it in params.
// ask: Where does params.threshold come in?
// Half is half.
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
        if (at < params.n && x[at] > 0.5) {
            word |= 1u << b;
        }
    }
    out[i] = word;
}
