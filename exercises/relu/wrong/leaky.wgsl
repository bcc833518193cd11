// diagnosis: leaky
// title: Negative elements became smaller, but not 0.
// why: A fraction of a negative number is still negative. That is leaky relu, the next exercise.
//   Plain relu makes them 0.
// ask: What should -5 become?
// Relu keeps a hundredth of negative numbers.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.01 * data[i]);
    }
}
