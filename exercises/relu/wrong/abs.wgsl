// diagnosis: abs
// title: Negative elements became positive.
// why: The sign was dropped: -5 became 5, but it should become 0.
// ask: What should -5 become?
// Negative numbers become positive.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = abs(data[i]);
    }
}
