// diagnosis: fixed-slope
// title: Negative elements were multiplied by 0.01, whatever the slope.
// why: The usual slope is written into your shader. The host passes a different one each time, in
//   params.
// ask: Where can your shader read the slope?
// The slope of a leaky relu is 0.01.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.01 * data[i]);
    }
}
