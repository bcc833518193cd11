// quiz-contrast: every pixel x of data becomes gain * x + shift, but at least 0 and at most 1; in place
// Your lines go here: the struct Params and the uniform params.

@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Your lines go here.
}
