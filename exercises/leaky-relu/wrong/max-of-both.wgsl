// diagnosis: larger-of-both
// title: The larger of x and slope * x was written.
// why: For a slope between 0 and 1 that is right. The host may choose any slope, and with a slope of
//   2 the larger one is the wrong one for every x but 0.
// ask: With a slope of 2, which is larger for x = 5: x, or slope * x?
// The line with the slope is below the other one for positive x, and above it for negative x.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], params.slope * data[i]);
    }
}
