// goals: coalesced
// way: After the first n the factor is 0. So there every invocation adds nothing, and no guard for
//   n is needed.
struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Outside of the first n the factor is 0, and y keeps its value.
    let i = min(id.x, arrayLength(&y) - 1u);
    if (i != id.x) { return; }
    y[i] = y[i] + select(0.0, params.alpha, i < params.n) * x[i];
}
