// diagnosis: slope-on-all
// title: All elements were multiplied by the slope.
// why: The positive elements should keep their value. Nothing in your shader tells positive from
//   negative.
// ask: What should 7.5 become?
// Multiply by the slope.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = params.slope * data[i];
    }
}
