// saxpy: y = alpha * x + y for the first n elements; the rest of y stays as it is
struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let e = id.x;
    if (e < params.n) {
        y[e] = fma(params.alpha, y[e], x[e]);
    }
}
