// diagnosis: uniform-alignment
// Two numbers are an array of two numbers.
struct Params {
    v: array<f32, 2>,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < u32(params.v[1])) {
        y[id.x] = params.v[0] * x[id.x] + y[id.x];
    }
}
