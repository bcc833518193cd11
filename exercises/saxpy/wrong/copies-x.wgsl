// diagnosis: copy-x
// title: The first n elements of y are a copy of x.
// why: The result uses neither alpha nor the old value of y.
// ask: Which three numbers does each element need?
// See first whether x arrives.
struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < params.n) {
        y[i] = x[i];
    }
}
