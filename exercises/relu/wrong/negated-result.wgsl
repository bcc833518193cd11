// diagnosis: negated
// title: Negative elements became 0, but the positive ones became negative.
// why: The result is -max(x, 0), or min(-x, 0).
// ask: What should 7.5 become?
// The sign changes last.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = -max(data[i], 0.0);
    }
}
