// diagnosis: abs
// title: Negative elements lost their sign.
// why: -5 became 5. It should stay negative and move closer to 0.
// ask: With a slope of 0.1, what should -5 become?
// Positive is what counts.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = abs(data[i]);
    }
}
