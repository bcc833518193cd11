// diagnosis: one-minus-slope
// title: Negative elements were multiplied by 1 - slope.
// why: x - slope * x removes the very part that should be left.
// ask: With a slope of 0.1, what should -5 become?
// The slope is what is lost.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        if (data[i] < 0.0) {
            data[i] -= params.slope * data[i];
        }
    }
}
