// diagnosis: clamped
// title: Elements above 1 became 1.
// why: Relu has a floor but no ceiling. A positive element stays as it is, however large.
// ask: What should 7.5 become?
// saturate cuts off negative numbers.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = saturate(data[i]);
    }
}
