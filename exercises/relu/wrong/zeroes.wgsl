// diagnosis: zero
// title: Every element became 0.
// why: The positive elements should keep their value.
// ask: What should 7.5 become?
// x times whether it is positive, with the comparison as a number that is never 1.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = data[i] * f32(data[i] > 100.0);
    }
}
