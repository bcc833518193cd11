// diagnosis: flipped
// title: Negative elements became positive, and positive ones became 0.
// why: The result is max(-x, 0): the sign was flipped before the comparison.
// ask: What should 7.5 become, and what should -5 become?
// max of the turned number.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(-data[i], 0.0);
    }
}
