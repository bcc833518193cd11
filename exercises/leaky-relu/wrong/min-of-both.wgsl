// diagnosis: smaller-of-both
// title: The smaller of x and slope * x was written.
// why: Which of the two is smaller depends on the sign of x, and on whether the slope is above or
//   below 1.
// ask: With a slope of 0.5, which is smaller for x = 8: x, or slope * x?
// The smaller of the two is the leaky one.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = min(data[i], params.slope * data[i]);
    }
}
