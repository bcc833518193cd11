// goals: writes each result once
// It stops at the first element that is not there.
struct Params {
    n: u32,
    threshold: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(128)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let i = id.x;
    var at = i * 32u;
    if (at >= params.n) {
        return;
    }
    var word = 0u;
    while (at < params.n && at / 32u == i) {
        if (x[at] > params.threshold) {
            word += 1u << (at % 32u);
        }
        at++;
    }
    out[i] = word;
}
