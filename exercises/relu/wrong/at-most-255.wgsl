// diagnosis: at-most-255
// title: Elements above 255 became 255.
// why: Relu has a floor but no ceiling. A positive element stays as it is, however large.
// ask: What should 700 become?
// The brightest pixel is 255.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = clamp(data[i], 0.0, 255.0);
    }
}
