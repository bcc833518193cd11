// diagnosis: sum-of-both
// title: slope * x was added to the positive elements as well.
// why: max(x, 0) + slope * x is right for the negative elements, but the positive ones get slope *
//   x on top.
// ask: What should 7.5 become?
// Relu plus the leak.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.0) + params.slope * data[i];
    }
}
