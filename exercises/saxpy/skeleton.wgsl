// saxpy: y = alpha * x + y for the first n elements; the rest of y stays as it is
// Your lines go here: the struct Params and the uniform params.

@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Your lines go here.
}
