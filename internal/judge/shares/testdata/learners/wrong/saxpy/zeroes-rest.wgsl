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
    let i = id.x;
    let len = arrayLength(&y);
    if (i >= len) {
        return;
    }
    if (i < params.n) {
        y[i] += params.alpha * x[i];
    } else {
        y[i] = 0.0;
    }
}
