// diagnosis: min
// title: The positive elements became 0 and the negative ones stayed.
// why: Your comparison points the wrong way, or you used min instead of max. min picks the smaller
//   of the two.
// ask: Of -5 and 0, which one do you want to keep?
// min cuts off what is below.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = min(data[i], 0.0);
    }
}
