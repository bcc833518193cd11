// diagnosis: no-limits
// title: Values below 0 and above 1 stay as they are.
// why: gain * x + shift may leave the range from 0 to 1. Limits before that step do not help.
// ask: What should become of -0.3, and of 1.3?
// Contrast is gain and shift.
struct Params {
    gain: f32,
    shift: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = params.gain * data[i] + params.shift;
    }
}
