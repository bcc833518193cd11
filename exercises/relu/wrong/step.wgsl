// diagnosis: step
// title: Positive elements became 1, negative ones 0.
// why: That is a step function: it says whether an element is positive, not how large it is.
//   Positive elements should keep their value.
// ask: What should 7.5 become?
// step makes negative numbers 0.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = step(0.0, data[i]);
    }
}
